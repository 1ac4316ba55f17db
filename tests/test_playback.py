"""What a frame does: document 001's host, and time in the user's hand. No GPU."""

from __future__ import annotations

import pytest

from demo.clock import FixedClock, WallClock
from demo.playback import SLOWEST_PACE, Plan, Playback
from demo.scenes.neural import PARAMETERS

SPIRAL, RINGS, XOR = range(3)


def playback(**options) -> Playback:
    return Playback(FixedClock(options.pop("start", 0.0), 60.0), **options)


def frames(player: Playback, count: int) -> list[Plan]:
    """The plans of the next `count` frames; none may be left out."""
    plans = [player.next_frame() for _ in range(count)]
    assert all(plan is not None for plan in plans)
    return plans  # pyright: ignore


def restarts(plans: list[Plan]) -> list[int]:
    return [i for i, plan in enumerate(plans) if plan.values["restart"]]


def test_the_default_sequence_restarts_at_each_shape() -> None:
    plans = frames(playback(), 1100)
    assert restarts(plans) == [360, 720, 1080]
    assert [plans[i].values["shape"] for i in (0, 359, 360, 720, 1080)] == [0, 0, 1, 2, 0]
    assert plans[360].values["key_base"] == 582 * PARAMETERS
    assert plans[720].values["key_base"] == 1164 * PARAMETERS
    assert all(plan.step for plan in plans)


@pytest.mark.parametrize("start, shape", [(0.0, SPIRAL), (6.5, RINGS), (13.0, XOR), (18.0, SPIRAL)])
def test_the_first_frame_is_never_a_restart(start: float, shape: int) -> None:
    player = playback(start=start)
    assert player.start_values["shape"] == shape
    (plan,) = frames(player, 1)
    assert plan.values["restart"] == 0
    assert plan.values["shape"] == shape
    assert player.time == start


def test_frame_k_is_at_k_steps_exactly() -> None:
    player = playback(start=7.0)
    frames(player, 1001)
    assert player.time == 7.0 + 1000 / 60.0


def test_a_held_shape_never_restarts() -> None:
    plans = frames(playback(shape=XOR), 1500)
    assert restarts(plans) == []
    assert {plan.values["shape"] for plan in plans} == {XOR}


def test_phases_stay_small_however_late_it_is() -> None:
    (plan,) = frames(playback(start=1e9), 1)
    assert 0.0 <= plan.values["band_phase"] < 1.0
    assert 0.0 <= plan.values["pulse_phase"] < 6.2832


def test_whole_cycles_and_bands_later_all_is_the_same() -> None:
    early, late = (frames(playback(start=start), 300) for start in (0.0, 1000008.0))
    for a, b in zip(early, late, strict=True):
        assert a.values["shape"] == b.values["shape"]
        apart = abs(a.values["band_phase"] - b.values["band_phase"])
        assert min(apart, 1.0 - apart) < 1e-9


def test_a_click_draws_document_001s_key_from_the_clock() -> None:
    player = playback()
    frames(player, 120)
    player.click()
    (plan,) = frames(player, 1)
    assert plan.values["restart"] == 1
    assert plan.values["key_base"] == int(2.0 * 97) * PARAMETERS


def test_clicks_that_share_the_clocks_key_differ() -> None:
    player = playback()
    keys = []
    for _ in range(5):  # five frames in a row, less than 1/97 s apart or just above
        player.click()
        (plan,) = frames(player, 1)
        keys.append(plan.values["key_base"])
    assert keys[0] != 0, "a click before frame 0 must not draw the first network again"
    assert len(set(keys)) == 5


def test_a_click_after_the_keys_came_round_differs() -> None:
    """The clock's key comes round after 9973 / 97 s."""
    player = playback(shape=SPIRAL, start=50.0)
    player.click()
    first = frames(player, 1)[0].values["key_base"]
    again = Playback(FixedClock(50.0, 97.0 / 9973.0), shape=SPIRAL)
    again.click()
    assert frames(again, 1)[0].values["key_base"] == first
    again.click()
    assert frames(again, 1)[0].values["key_base"] != first


def test_seeds_draw_different_first_networks_and_0_is_document_001s() -> None:
    keys = [playback(seed=seed).start_values["key_base"] for seed in (0, 1, 2, 2048, 2**32 - 1)]
    assert keys[0] == 0
    assert len(set(keys)) == len(keys)
    assert keys[1] == playback(seed=1).start_values["key_base"]


def test_pause_stops_everything_and_goes_on_where_it_was() -> None:
    player = playback()
    frames(player, 10)
    player.toggle_pause()
    time = player.time
    assert [player.next_frame() for _ in range(5)] == [None] * 5
    assert (player.time, player.frames) == (time, 10)
    player.toggle_pause()
    frames(player, 1)
    assert player.time == 10 / 60


def test_a_single_step_moves_one_frame_and_only_while_paused() -> None:
    player = playback()
    frames(player, 3)
    player.toggle_pause()
    player.single_step()
    (plan,) = frames(player, 1)
    assert plan.step and not plan.values["restart"]
    assert player.time == 3 / 60
    assert player.next_frame() is None
    player.toggle_pause()
    player.single_step()
    frames(player, 1)
    player.toggle_pause()
    assert player.next_frame() is None, "a step asked for while running must not come later"


def test_a_click_while_paused_reseeds_at_once_and_stays_paused() -> None:
    player = playback()
    frames(player, 30)
    player.toggle_pause()
    keys = []
    for _ in range(3):
        player.click()
        (plan,) = frames(player, 1)
        assert plan.step and plan.values["restart"]
        keys.append(plan.values["key_base"])
        assert player.next_frame() is None
    assert len(set(keys)) == 3
    assert player.time == 29 / 60


def test_the_pace_halves_down_to_a_step_in_32_frames_and_doubles_up_to_1() -> None:
    player = playback()
    for _ in range(9):
        player.slower()
    assert player.pace == SLOWEST_PACE
    steps = [plan.step for plan in frames(player, 64)]
    assert [i for i, step in enumerate(steps) if step] == [31, 63]
    for _ in range(9):
        player.faster()
    assert player.pace == 1.0
    assert all(plan.step for plan in frames(player, 3))


def test_the_clock_slows_down_with_the_pace() -> None:
    player = playback()
    frames(player, 1)
    player.slower()
    frames(player, 60)
    assert player.time == pytest.approx(0.5)


def test_a_click_at_a_slow_pace_does_not_wait() -> None:
    player = playback()
    for _ in range(5):
        player.slower()
    frames(player, 3)
    player.click()
    (plan,) = frames(player, 1)
    assert plan.step and plan.values["restart"]


@pytest.mark.parametrize("direction, shape", [(1, RINGS), (-1, XOR)])
def test_picking_a_shape_restarts_once_and_holds_it(direction: int, shape: int) -> None:
    player = playback()
    frames(player, 10)
    player.hold(direction)
    plans = frames(player, 1000)
    assert restarts(plans) == [0]
    assert {plan.values["shape"] for plan in plans} == {shape}
    assert player.seconds_left is None


def test_picking_a_shape_while_paused_shows_it_at_once() -> None:
    player = playback()
    frames(player, 10)
    player.toggle_pause()
    player.hold(1)
    (plan,) = frames(player, 1)
    assert plan.step and plan.values["restart"] and plan.values["shape"] == RINGS
    assert player.next_frame() is None


def test_cycling_again_gives_the_shape_its_full_time() -> None:
    player = playback()
    frames(player, 100)
    player.hold(1)
    frames(player, 50)
    player.cycle()
    assert player.seconds_left == 6.0
    plans = frames(player, 361)
    assert restarts(plans) in ([359], [360])  # six seconds, give or take a rounding
    assert plans[-1].values["shape"] == XOR
    player.cycle()  # already cycling: nothing changes
    assert player.seconds_left == pytest.approx(6.0 - 1 / 60)


def test_the_wall_clock_follows_the_wall_but_never_jumps() -> None:
    now = [100.0]
    clock = WallClock(5.0, wall=lambda: now[0])
    assert clock.tick() == 5.0
    now[0] += 0.02
    assert clock.tick() == pytest.approx(5.02)
    now[0] += 0.02
    assert clock.tick(0.5) == pytest.approx(5.03)
    now[0] += 3600.0
    assert clock.tick() == pytest.approx(5.03 + WallClock.LONGEST_STEP)
    before = clock.tick()
    clock.pause()
    now[0] += 3600.0
    assert clock.tick() == pytest.approx(before + WallClock.PAUSED_STEP)


def test_cycling_from_a_shape_beyond_the_cycle_goes_to_its_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("demo.playback.SHAPES", {"a": "", "b": "", "c": "", "d": ""})
    player = playback()
    frames(player, 1)
    player.hold(-1)
    assert frames(player, 1)[0].values["shape"] == 3
    player.cycle()
    plans = frames(player, 361)
    assert plans[0].values["shape"] == SPIRAL
    assert plans[-1].values["shape"] == RINGS
