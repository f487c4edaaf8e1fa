"""What keeps Tabwright from working on this machine, and what mends it."""

from tabwright.doctor.examination import CHECKS, examine, mend
from tabwright.doctor.finding import Finding, State
from tabwright.doctor.machine import Machine

__all__ = ["CHECKS", "Finding", "Machine", "State", "examine", "mend"]
