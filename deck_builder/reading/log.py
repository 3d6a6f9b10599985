"""What one reading found wrong or could not carry over, in the order found."""

from __future__ import annotations

from deck_builder.errors import DeckError, DeckErrors
from deck_builder.model import NOWHERE, Notice, Source
from deck_builder.values import dataclass, field


@dataclass(slots=True)
class Log:
    """Errors and notices of one reading: an author sees all mistakes at once."""

    errors: list[DeckError] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def error(self, message: str, source: Source) -> None:
        """Remember a mistake that fails the build."""
        self.errors.append(DeckError(message, source))

    def notice(self, message: str, source: Source) -> None:
        """Remember something that the deck cannot show, once per place."""
        notice = Notice(message, source)
        if notice not in self.notices[-8:]:
            self.notices.append(notice)

    def raise_errors(self) -> None:
        """Raise all mistakes together as `DeckErrors`, in the order of the lesson; do nothing when there are none."""
        if self.errors:
            raise DeckErrors(sorted(self.errors, key=lambda error: error.source or NOWHERE))
