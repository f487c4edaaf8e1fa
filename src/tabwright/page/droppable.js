function () {
  // Watches what the page says to files that are dragged over this node; the function it returns
  // ends that and tells whether the page takes them. Files that it does not take would be opened by
  // the browser, as a page of their own.
  const view = (this.ownerDocument || this).defaultView;
  const element = this.getRootNode().host || this;
  let last = null;
  const see = (event) => { last = event; };
  // First in line, because the page may stop the event on its way; how it ended is read later.
  view.addEventListener("dragover", see, true);
  return () => {
    view.removeEventListener("dragover", see, true);
    const ready = element.matches && element.matches("input[type=file]:enabled");
    return Boolean(ready || (last && last.defaultPrevented));
  };
}
