"""What a run of the benchmarks found: figures, and ratios against their targets."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, on one database."""

    what: str
    database: str
    value: str


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure is to be: at least ``bound``, or at the most."""

    bound: float
    at_most: bool = field(kw_only=True)

    def __str__(self) -> str:
        return f"at {'most' if self.at_most else 'least'} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Check:
    """A figure with a target."""

    what: str
    database: str
    found: float
    target: Target

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        within = self.found <= self.target.bound
        return within if self.target.at_most else self.found >= self.target.bound


@dataclass(slots=True)
class Results:
    """All that a run found so far.

    Attributes:
        figures: Measured values.
        checks: What is compared with a target.
        bars: Milliseconds by group and name, for the plot.
    """

    figures: list[Figure] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    bars: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, what: str, database: str, value: str) -> None:
        """Note a figure, and print it: a run takes minutes."""
        self.figures.append(Figure(what, database, value))
        print(f"  {database:<10}  {what}: {value}", flush=True)

    def add_latencies(self, what: str, database: str, seconds: dict[str, float]) -> None:
        """Note median latencies by name."""
        milliseconds = {name: value * 1000 for name, value in seconds.items()}
        self.bars[f"{what}, {database}"] = milliseconds
        said = ", ".join(f"{name} {value:.2f} ms" for name, value in milliseconds.items())
        self.add(what, database, said)

    def check_least(self, what: str, database: str, found: float, bound: float) -> None:
        """Compare a figure with what it should reach."""
        self.checks.append(Check(what, database, found, Target(bound, at_most=False)))

    def check_most(self, what: str, database: str, found: float, bound: float) -> None:
        """Compare a figure with what it should not exceed."""
        self.checks.append(Check(what, database, found, Target(bound, at_most=True)))
