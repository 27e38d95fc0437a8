"""The study of recorded answers: what it counts, and that both kinds of folder give the same."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from envs.blocksworld.problems import atoms_of, load
from evals.viplan.belief.cases import Case, read_cases
from evals.viplan.belief.command import main
from evals.viplan.belief.figures import MEAN, Figure, others_rates, study
from evals.viplan.belief.trials import Board
from memory.belief import Belief
from models.recorded.reading import RecordError
from planners.formula import Atom
from planners.outcome import PlannerUnavailable, PlanOutcome, Status
from planners.task import Task


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data" / "viplan"


@pytest.fixture(scope="module")
def few(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers of one model to some of the simple problems, without and with cot."""
    folder = tmp_path_factory.mktemp("recorded")
    for name in ("answers.jsonl.gz", "episodes.jsonl.gz"):
        with gzip.open(data / "recorded" / name, "rt") as old, gzip.open(folder / name, "wt") as new:
            new.writelines(
                line for line in old if '"fields"' in line or ("Qwen2.5-VL-72B" in line and "simple_problem_1" in line)
            )
    return folder


def perfect(data: Path, name: str = "simple_problem_0") -> Case:
    problem = load(data / "problems" / "simple" / f"{name}.pddl", "simple")
    state = atoms_of(problem.start, problem.columns)
    truth = {atom: atom in state for atom in Board.of(problem).space.atoms}
    return Case("seer", "simple", problem, truth, truth, False)


def values(figures: list[Figure], model: str) -> dict[str, float]:
    return {figure.measure: figure.value for figure in figures if figure.model == model}


def test_true_answers_are_exact_and_lead_to_the_goal(data: Path) -> None:
    told = values(study([perfect(data)]), "seer")
    right = ("exact_raw", "exact_hamming", "open_loop", "repair", "belief", "belief_likelihood")
    assert {told[name] for name in right} == {1.0}
    assert told["illegal_open_loop"] == told["illegal_repair"] == told["illegal_belief"] == 0
    assert told["published"] == 0


def test_answers_about_another_problem_are_a_control(data: Path) -> None:
    cases = [perfect(data, f"simple_problem_{number}") for number in range(4)]
    told = values(study(cases), "seer")
    assert told["repair_other"] < told["repair"] == 1
    assert told["illegal_belief_other"] > told["illegal_belief"] == 0


def test_one_wrong_answer_costs_open_loop_the_goal_and_repair_nothing(data: Path) -> None:
    case = perfect(data, "simple_problem_3")
    assert ("y", "r") in case.problem.start
    wrong = replace(case, answers={**case.answers, Atom("clear", ("y",)): True})
    told = values(study([wrong]), "seer")
    assert (told["exact_raw"], told["open_loop"], told["repair"]) == (0, 0, 1)


def test_a_planner_that_breaks_down_is_no_failure_of_the_answers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def solve(self, task: Task) -> PlanOutcome:
            return PlanOutcome(Status.TIMEOUT, engine="slow")

        def close(self) -> None:
            pass

    monkeypatch.setattr("evals.viplan.belief.figures.get_planner", lambda name: Broken())
    with pytest.raises(PlannerUnavailable, match="slow: timeout"):
        study([perfect(data)])


def test_figures_lie_in_their_intervals(data: Path) -> None:
    cases = [replace(perfect(data, f"simple_problem_{number}"), solved=number > 0) for number in range(4)]
    figures = study(cases)
    assert all(figure.low <= figure.value <= figure.high for figure in figures)
    published = next(figure for figure in figures if figure.measure == "published")
    # Wilson's interval of 3 in 4.
    assert (published.low, published.high) == (pytest.approx(0.301, abs=1e-3), pytest.approx(0.954, abs=1e-3))


def test_the_blind_control_hears_nothing(data: Path) -> None:
    case = perfect(data)
    mute = Case("mute", "simple", case.problem, {}, case.truth, False)
    seer, deaf = values(study([case]), "seer"), values(study([mute]), "mute")
    assert (seer["blind"], seer["illegal_blind"]) == (deaf["blind"], deaf["illegal_blind"])
    assert seer["illegal_blind"] > seer["illegal_belief"]
    assert deaf["exact_raw"] == 0


def test_the_mean_over_models_leaves_the_blind_controls_error_alone(data: Path) -> None:
    cases = [perfect(data, f"simple_problem_{number}") for number in range(4)]
    figures = study(cases + [replace(case, model="other") for case in cases])
    blind = {figure.model: figure for figure in figures if figure.measure == "illegal_blind"}
    assert blind[MEAN].err == blind["seer"].err > 0


def test_one_model_alone_has_the_error_of_its_problems(data: Path) -> None:
    cases = [replace(perfect(data, f"simple_problem_{number}"), solved=number > 0) for number in range(4)]
    published = {figure.model: figure for figure in study(cases) if figure.measure == "published"}
    assert published[MEAN].err == published["seer"].err == pytest.approx(0.25)


def test_an_acting_belief_stops_by_itself(data: Path) -> None:
    case = perfect(data)
    board = Board.of(case.problem)
    trial = board.act(Belief.blank(board.space).with_answers(case.answers))
    assert trial.solved
    assert trial.attempts == board.far[board.start]


def test_rates_come_from_other_problems_only(data: Path) -> None:
    case, other = perfect(data), perfect(data, "simple_problem_1")
    lies = Case("seer", "simple", case.problem, {a: not v for a, v in case.truth.items()}, case.truth, False)
    assert others_rates(lies, [lies, other]) == others_rates(case, [case, other])
    assert others_rates(other, [lies, other]).of("on").imagined > 0.3


def test_both_kinds_of_folder_give_the_same_cases(few: Path, data: Path) -> None:
    from_files = read_cases(few, data / "problems")
    from_checkout = [case for case in read_cases(data / "original", data / "problems") if case.split == "simple"]
    assert len(from_files) == 11

    def told(cases: list[Case]) -> dict[str, tuple[bool, dict[Atom, bool]]]:
        return {case.problem.name: (case.solved, dict(case.answers)) for case in cases}

    assert told(from_files).items() <= told(from_checkout).items()


def test_the_command_tells_the_figures_and_their_limits(
    few: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, folder = tmp_path / "figures.csv", tmp_path / "study"
    options = ["--json", "--csv", str(out), "--out", str(folder)]
    assert main([str(few), "--problems", str(data / "problems"), *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cases"] == 11
    assert any("nobody was asked about" in limit for limit in told["limits"])
    found = {row["measure"]: row["value"] for row in told["figures"] if row["model"] == MEAN}
    assert found["exact_raw"] <= found["exact_hamming"] <= found["belief"]
    assert found["belief"] > found["blind"]
    assert len(out.read_text().splitlines()) == len(told["figures"]) + 1
    assert (folder / "figures.csv").read_text() == out.read_text()
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "nobody was asked about" in page
    assert "blind (control)" in page
    assert all((folder / name).read_text().startswith("<svg") for name in ("exact.svg", "success.svg"))
    assert main([str(few), "--problems", str(data / "problems")]) == 0
    printed = capsys.readouterr().out
    assert "Exact state after the first picture" in printed
    assert "…" not in printed


@pytest.mark.slow
def test_on_eight_models_belief_beats_the_published_and_the_blind(data: Path) -> None:
    """Half of the problems, and a third of the hard ones, which take longest: the command shows all of them."""
    cases = read_cases(data / "recorded")
    kept: set[str] = set()
    for split, share in (("simple", 2), ("medium", 2), ("hard", 3)):
        kept |= set(sorted({case.problem.name for case in cases if case.split == split})[::share])
    figures = study([case for case in cases if case.problem.name in kept])
    mean = {(figure.measure, figure.split): figure.value for figure in figures if figure.model == MEAN}
    for split, exact in (("simple", 0.65), ("medium", 0.35), ("hard", 0.3)):
        assert mean["exact_hamming", split] > exact
        assert mean["belief", split] > 0.8
        assert mean["belief", split] > mean["repair", split] > mean["open_loop", split]
        assert mean["repair", split] > mean["published", split]
        assert mean["belief", split] > mean["blind", split] + 0.15


def test_a_folder_without_records_is_told(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "give their folder with --problems" in capsys.readouterr().err
    (tmp_path / "answers.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(RecordError, match="cannot be read"):
        read_cases(tmp_path, data / "problems")
