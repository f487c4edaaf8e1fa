function () {
  // Listens from the first moment of a document, before any listener of the page that could keep
  // an event from us. It is heard only while an act is under way.
  if (globalThis.tabwrightEars) return;
  globalThis.tabwrightEars = [
    "pointerover", "pointerdown", "mousedown", "pointerup", "mouseup", "mousemove", "mouseover",
    "click", "dblclick", "auxclick", "contextmenu", "wheel", "scroll",
    "keydown", "keypress", "keyup", "beforeinput", "input", "change", "submit", "focusin", "focusout",
    "dragstart", "dragover", "drop", "dragend", "toggle",
  ];
  const hear = (event) => globalThis.tabwrightHear?.(event, false);
  const passed = (event) => globalThis.tabwrightHear?.(event, true);
  // What is there already is not added again; `document.open` takes all of them away. The first
  // page of a popup keeps the listeners of the empty document before it, but Chromium forgets that
  // any of them captures until it is given another.
  globalThis.tabwrightListen = () => {
    const another = () => {};
    addEventListener("tabwright", another, { capture: true });
    removeEventListener("tabwright", another, { capture: true });
    for (const type of globalThis.tabwrightEars) {
      addEventListener(type, hear, { capture: true, passive: true });
      addEventListener(type, passed, { passive: true });
    }
  };
  globalThis.tabwrightListen();
}
