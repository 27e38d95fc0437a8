"""A run that somebody else made: its code is not run, its addresses are not called, its links are not followed."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.blame.__main__ import main as blame
from evals.erqa_plus.__main__ import main as erqa_plus
from evals.play import play_run
from evals.rerun.__main__ import main as rerun
from evals.run.benchmarks import find_benchmark
from evals.run.directory import RunDirectory
from evals.run.settings import fingerprint
from evals.view.redrawing import CannotDraw
from evals.view.shown import find_runs
from evals.view.site import Site
from evals.viplan.__main__ import main as viplan
from models.registry import needs_trust
from tests.conftest import ROOT
from tests.evals.published_files import RED, plus_rows
from tests.loopback import Loopback

SPY = """
from pathlib import Path

Path(__file__).with_suffix(".imported").touch()
"""
SPYING = f"""{SPY}
from agents.registry import find_agent


def build():
    return find_agent("ground").build()
"""
Command = Callable[[list[str]], int]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with failures and with nothing in it that has to be trusted."""
    folder = tmp_path_factory.mktemp("clean") / "run"
    assert viplan(["--agent", "ground", "--model", "sim:qwen2.5-vl-7b", *FEW, "--out", str(folder)]) == 0
    return folder


FEW = ("--split", "simple", "--limit", "2", "--steps", "3")


@pytest.fixture
def run(clean: Path, tmp_path: Path) -> Path:
    return shutil.copytree(clean, tmp_path / "run")


def failed(run: Path) -> str:
    return next(result.id for result in RunDirectory.open(run).results() if not result.success)


def set_in(run: Path, **settings: object) -> None:
    """Have the run name something else."""
    config = json.loads((run / "run.json").read_text())
    config["settings"] |= settings
    (run / "run.json").write_text(json.dumps(config))


def commands(run: Path) -> dict[str, tuple[Command, list[str]]]:
    again = [str(run), "--episode", failed(run), "--with", "oracle-answers"]
    return {"rerun": (rerun, again), "blame": (blame, [str(run)]), "resume": (viplan, ["--resume", str(run)])}


@pytest.fixture(params=["rerun", "blame", "resume"])
def command(request: pytest.FixtureRequest, run: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """A command on the run: its exit code and what it says to stderr."""
    main, words = commands(run)[request.param]

    def called(*more: object) -> tuple[int, str]:
        capsys.readouterr()
        return main([*words, *map(str, more)]), capsys.readouterr().err

    called.resumes = request.param == "resume"  # type: ignore[attr-defined]
    return called


def confirming(command: Any, setting: str, value: object) -> str:
    """The words that confirm an address or a path to a command."""
    other = "address" if "://" in str(value) else "reads"
    return f"confirm it with --{setting if command.resumes else other} {value}\n"


def refused(answer: tuple[int, str], *parts: str) -> None:
    code, err = answer
    assert code == 2, err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert [part for part in parts if part not in err] == []


def test_code_that_came_with_a_run_is_not_run(run: Path, command: Callable[..., Any]) -> None:
    hostile = run / "pictures" / "x.py"
    hostile.write_text(SPYING)
    set_in(run, agent=f"{hostile}:build")
    known = json.loads((run / "run.json").read_text())["fingerprints"]["agent"]
    refused(command(), f"names code to run: {hostile}:build (fingerprint {known})", "--agent")
    refused(
        command("--agent", f"{hostile}:build"),
        f"{hostile} is not the file that {run} was made with",
        fingerprint(SPYING.encode()),
        known,
    )
    assert not hostile.with_suffix(".imported").exists()


def test_an_agent_of_ones_own_is_run_if_it_is_confirmed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, run = tmp_path / "own.py", tmp_path / "run"
    own.write_text(SPYING)
    spec = f"{own}:build"
    assert viplan(["--agent", spec, "--model", "sim:qwen2.5-vl-7b", *FEW, "--out", str(run)]) == 0
    own.with_suffix(".imported").unlink()
    words = [str(run), "--episode", failed(run), "--with", "oracle-answers"]
    capsys.readouterr()
    assert rerun(words) == 2
    told = capsys.readouterr().err
    assert f"{spec} (fingerprint {fingerprint(SPYING.encode())})" in told
    assert shlex.join(["--agent", spec]) in told
    assert rerun([*words, "--agent", "other.py:build"]) == 2
    assert "For another agent use --with agent:other.py:build" in capsys.readouterr().err
    assert rerun([*words, "--with", "agent:ground"]) == 0, "what is replaced need not be trusted"
    assert not own.with_suffix(".imported").exists()
    assert rerun([*words, "--agent", spec]) == 0
    assert own.with_suffix(".imported").exists()
    assert blame([str(run), "--trust-agent"]) == 0
    own.write_text(SPYING + "\n")
    assert blame([str(run), "--trust-agent"]) == 2, "it is trusted as it was"
    assert "is not the file that" in capsys.readouterr().err


@pytest.mark.parametrize(
    "model",
    [
        "langchain:evil_models:Chat",
        "hf:some/model",
        "hf:some/model?trust_remote_code=true",
        'hf:some/model?trust_remote_code=true&processor={"a":"b://c"}',
        "evil.py:model",
    ],
)
def test_a_model_that_is_code_is_not_loaded(
    model: str, run: Path, command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil_models.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    set_in(run, model=model)
    refused(command(), f"from the run: {model}", "--model")
    assert "evil_models" not in sys.modules


def test_a_model_from_a_file_is_loaded_if_it_is_confirmed_and_unaltered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, run = tmp_path / "own_model.py", tmp_path / "run"
    own.write_text(f"{SPY}\nfrom models.scripted import Scripted, always\n\nmodel = Scripted(always('No'))\n")
    spec = f"{own}:model"
    assert viplan(["--agent", "ground", "--model", spec, *FEW, "--out", str(run)]) == 0
    own.with_suffix(".imported").unlink()
    for name, (main, words) in commands(run).items():
        capsys.readouterr()
        refused((main(words), capsys.readouterr().err), "names a model that runs code", "--model")
        assert not own.with_suffix(".imported").exists()
        assert main([*words, "--model", spec]) == 0, name
        own.with_suffix(".imported").unlink()
    own.write_text(f"{own.read_text()}\n")
    for main, words in commands(run).values():
        capsys.readouterr()
        refused((main([*words, "--model", spec]), capsys.readouterr().err), f"{own} is not the file that {run} was")
    assert not own.with_suffix(".imported").exists()


@pytest.mark.parametrize(
    "model",
    [
        "openai:gpt-4.1?key_env=OTHER_SECRET",
        "anthropic:claude-sonnet-4-5?key_env=OTHER_SECRET",
        "google:gemini-2.5-flash?base_url=elsewhere.example",
        'google:gemini-2.5-flash?client_options={"api_endpoint":"elsewhere.example"}',
        "openai:gpt-4.1@elsewhere.example/v1",
    ],
)
def test_a_key_or_a_question_goes_nowhere_that_only_a_run_names(
    model: str, run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OTHER_SECRET", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "sk-loopback-0123456789abcdef")
    set_in(run, model=model)
    capsys.readouterr()
    refused((viplan(["--resume", str(run)]), capsys.readouterr().err), f"from the run: {model}", "--model")


def test_a_provider_at_its_own_address_needs_no_word_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(map(needs_trust, ("openai:gpt-4.1", "anthropic:claude-sonnet-4-5?effort=low", "google:gemini-2.5")))
    assert not any(map(needs_trust, ("sim:gpt-4.1?blunder=0.2", "oracle", "scripted:Yes", "replay:x.json", "opneai:x")))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway:4000/v1")
    assert not needs_trust("openai:gpt-4.1"), "the environment is the user's word"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-0123456789abcdef")
    with Loopback(lambda body: "Yes") as running:
        yield running


def test_an_address_is_called_only_if_it_is_confirmed(
    run: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    model = f"openai:any@{server.url}"
    set_in(run, model=model)
    (run / "answers.sqlite").unlink()
    words = [str(run), "--episode", failed(run), "--with", "protocol"]
    assert rerun(words) == 1, "nobody is asked without --ask"
    assert rerun([*words, "--ask", "--dry-run"]) == 0
    capsys.readouterr()
    refused((rerun([*words, "--ask"]), capsys.readouterr().err), f"from the run: {model}", "--model")
    refused((blame([str(run), "--ask"]), capsys.readouterr().err), f"from the run: {model}", "--model")
    assert server.count == 0
    assert rerun([*words, "--ask", "--model", model]) == 0
    assert server.count > 0


def test_a_world_at_an_address_is_called_only_if_it_is_confirmed(run: Path, command: Callable[..., Any]) -> None:
    address = "http://127.0.0.1:9/home"
    set_in(run, domain="household", env_url=address)
    refused(command(), f"names an address to send requests to: {address}", confirming(command, "env-url", address))


def test_a_confirmed_world_is_called(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = "http://127.0.0.1:9/home"
    set_in(run, domain="household", env_url=address)
    assert blame([str(run), "--address", address]) == 2
    assert "names an address" not in capsys.readouterr().err


@pytest.mark.parametrize("setting", ["problems", "viplan_root"])
def test_folders_are_read_only_if_they_are_confirmed(
    setting: str, run: Path, tmp_path: Path, command: Callable[..., Any]
) -> None:
    secret = tmp_path / "secret"
    (secret / "simple").mkdir(parents=True)
    (secret / "simple" / "treasure.pddl").write_text("the treasure is under the oak")
    set_in(run, **{setting: str(secret)})
    option = setting.replace("_", "-")
    code, err = answer = command()
    refused(answer, f"names a file or folder to read: {secret}", confirming(command, option, secret))
    assert "treasure" not in err
    code, err = command(f"--{option}" if command.resumes else "--reads", secret)  # type: ignore[attr-defined]
    assert code == 2
    assert "names a file or folder" not in err, "confirmed, it is read, and is not what the run was made with"


def test_relative_names_are_paths_where_there_is_something_of_that_name(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    set_in(run, problems="beside")
    assert "names a file or folder" not in command()[1], "there is nothing to read"
    Path("beside").mkdir()
    refused(command(), "names a file or folder to read: beside")


@pytest.mark.parametrize("kind", ["scripted", "replay"])
def test_a_model_reads_a_file_only_if_it_is_confirmed(kind: str, run: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    spec = f"{kind}:{secret}"
    assert not needs_trust(spec), "there is nothing to read"
    secret.write_text('{"*": "the treasure is under the oak"}')
    assert needs_trust(spec)
    set_in(run, model=spec)
    shutil.copyfile(run / "run.json", tmp_path / "as it was")
    assert viplan(["--resume", str(run)]) == 2
    assert (run / "run.json").read_bytes() == (tmp_path / "as it was").read_bytes()


def published(folder: Path) -> Path:
    """Questions as the viewer and `--resume` find them, and a picture that is a link to somewhere else."""
    (folder / "img").mkdir(parents=True)
    rows = []
    for row in plus_rows():
        row["img_path"] = [f"img/{row['question_id']}_{place}" for place in range(len(row.pop("images")))]
        for path in row["img_path"]:
            (folder / path).symlink_to(folder.parent / "private.png")
        row["evaluator_kwargs"] = json.loads(row["evaluator_kwargs"])
        rows.append(row)
    (folder / "data.json").write_text(json.dumps(rows))
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """A run of questions whose pictures are links to a private picture."""
    (tmp_path / "private.png").write_bytes(RED)
    data, run = published(tmp_path / "data"), tmp_path / "questions"
    assert erqa_plus(["--data", str(data), "--partial", "--model", "oracle", "--out", str(run)]) == 0
    return run


def test_pictures_of_questions_are_read_only_if_they_are_confirmed(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    (questions / "results.jsonl").write_text("")
    capsys.readouterr()
    answer = erqa_plus(["--resume", str(questions)]), capsys.readouterr().err
    refused(answer, f"names a file or folder to read: {data}", f"confirm it with --data {data}")
    again = [str(questions), "--episode", "ERQAPlus_001", "--with", "oracle-answers"]
    assert erqa_plus(["--resume", str(questions), "--data", str(data)]) == 0
    capsys.readouterr()
    refused((rerun(again), capsys.readouterr().err), f"confirm it with --reads {data}")
    assert rerun([*again, "--reads", str(data)]) == 0


def test_the_viewer_reads_nothing_that_only_a_run_names(questions: Path, tmp_path: Path) -> None:
    (shown,) = find_runs([questions])
    site = Site.of([shown])
    played = site.played(shown, "ERQAPlus_001")
    assert played is not None
    with pytest.raises(
        CannotDraw, match=f"only the run says to read {tmp_path / 'data'}; start the viewer with --reads"
    ):
        site.stages.question(shown, played, 0)
    site.stages.reads = [str(tmp_path / "data")]
    assert site.stages.question(shown, played, 0)


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "a/../../x", "..", "a\\..\\x"])
def test_names_do_not_lead_out_of_a_run(name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (run / "results.jsonl").read_text().splitlines()
    (run / "results.jsonl").write_text("".join(json.dumps({**json.loads(line), "id": name}) + "\n" for line in lines))
    before = sorted(run.parent.rglob("*"))
    capsys.readouterr()
    for main, words in ((rerun, [str(run), "--episode", name, "--with", "oracle-answers"]), (blame, [str(run)])):
        refused((main(words), capsys.readouterr().err), f"has an episode named {name!r}, which would lead out of the")
    assert sorted(run.parent.rglob("*")) == before
    if name != "a\\..\\x" or sys.platform == "win32":
        with pytest.raises(Exception, match="is no name of an episode"):
            RunDirectory.open(run).trace(name)


@pytest.mark.parametrize("what", ["episode", "episodes", "answers.sqlite", "results.jsonl"])
def test_links_in_a_run_are_not_read(what: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "episodes" / f"{failed(run)}.jsonl" if what == "episode" else run / what
    elsewhere = tmp_path / "elsewhere"
    main, words = commands(run)["rerun"]
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    capsys.readouterr()
    refused((main(words), capsys.readouterr().err), f"{path} is a symbolic link")
    refused((blame([str(run)]), capsys.readouterr().err), f"{path} is a symbolic link")


def test_nothing_is_written_through_links(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (run / "blame").symlink_to(elsewhere)
    (run / "reruns").symlink_to(elsewhere)
    again, words = commands(run)["rerun"]
    refused((again(words), capsys.readouterr().err), f"{run / 'reruns'} is a symbolic link")
    refused((blame([str(run)]), capsys.readouterr().err), f"{run / 'blame'} is a symbolic link")
    assert list(elsewhere.iterdir()) == []
    assert again([*words, "--dry-run"]) == 0


@pytest.mark.parametrize(
    "inside",
    [
        *("results.jsonl", "items.jsonl", "prompts.jsonl", "answers.sqlite", "answers.sqlite-journal", "lock"),
        *("run.json.part", "report.html", "episodes/EPISODE.jsonl", "episodes", "pictures", "pictures/index.jsonl"),
        "blame/x/y",
    ],
)
def test_a_run_with_links_is_not_resumed(
    inside: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, path = tmp_path / "precious", run / inside.replace("EPISODE", failed(run))
    (run / "results.jsonl").write_text((run / "results.jsonl").read_text().splitlines(keepends=True)[0])
    target.mkdir()
    (target / "file").write_text("precious line\nhalf a line")
    if path.is_dir():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target if "." not in path.name and path.name != "lock" else target / "file")
    capsys.readouterr()
    refused((viplan(["--resume", str(run)]), capsys.readouterr().err), f"{path} is a symbolic link")
    assert [(file.name, file.read_text()) for file in target.iterdir()] == [("file", "precious line\nhalf a line")]


@pytest.mark.parametrize("inside", ["results.jsonl", "report.html", "episodes/EPISODE.jsonl", "answers.sqlite", "lock"])
def test_nothing_is_written_through_links_in_an_earlier_rerun(
    inside: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again, words = commands(run)["rerun"]
    assert again(words) == 0
    (folder,) = (run / "reruns").iterdir()
    target, path = tmp_path / "precious", folder / inside.replace("EPISODE", failed(run))
    target.write_text("precious")
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    capsys.readouterr()
    refused((again(words), capsys.readouterr().err), f"{path} is a symbolic link")
    assert target.read_text() == "precious"


def test_a_benchmark_from_a_file_is_code_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, run = tmp_path / "own_set.py", tmp_path / "run"
    own.write_text(f"{(ROOT / 'tests' / 'evals' / 'tiny_benchmarks.py').read_text()}\n{SPY}")
    spec, known = f"{own}:QUESTIONS", fingerprint(own.read_bytes())
    play_run(find_benchmark(spec), model="scripted:A", out=run)
    own.with_suffix(".imported").unlink()
    for main, words in ((rerun, [str(run), "--episode", "bottom", "--with", "oracle-answers"]), (blame, [str(run)])):
        capsys.readouterr()
        refused((main(words), capsys.readouterr().err), f"the benchmark {spec} (fingerprint {known})", "--benchmark")
        refused((main([*words, "--benchmark", "other.py:X"]), capsys.readouterr().err), f"the benchmark {spec}")
        assert not own.with_suffix(".imported").exists()
        assert main([*words, "--benchmark", spec]) == 0
        own.with_suffix(".imported").unlink()
    own.write_text(f"{own.read_text()}\n")
    capsys.readouterr()
    refused((blame([str(run), "--trust-agent"]), capsys.readouterr().err), f"{own} is not the file that", known)
    assert not own.with_suffix(".imported").exists()


def test_a_file_does_not_pass_for_the_name_of_a_benchmark(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = run / "pictures" / "x.py"
    hostile.write_text(SPYING)
    config = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**config, "benchmark": f"{hostile}:BENCHMARK"}))
    capsys.readouterr()
    refused((blame([str(run)]), capsys.readouterr().err), "names a file as its benchmark")
    assert not hostile.with_suffix(".imported").exists()
