"""What hands carry: the fewest pieces, what is taken first, camps filled up."""

from __future__ import annotations

from hardware import boards
from hardware.boards import board
from hardware.twin.desk import Desk
from referee.game import Sight
from web.twin.hands import Hands
from web.twin.orders import Carry, carried, carries

TOCK = board("tock4")
CAMPS = {
    cell.id: (piece.name,)
    for piece in TOCK.pieces
    for cell in TOCK.of_kind("camp")
    if cell.seat == piece.seat
}


def test_a_pawn_enters_and_is_taken_again() -> None:
    entered = carries(TOCK, CAMPS, Sight([("a", "a18")]))
    assert entered == [Carry("red", "ac1", "a18")]
    standing = carried(CAMPS, entered)
    assert standing["a18"] == ("red",)
    both = carried(standing, carries(TOCK, standing, Sight([("a", "a18"), ("b", "a12")])))
    taken = carries(TOCK, both, Sight([("b", "a18")]))
    assert taken == [Carry("red", "a18", "ac1"), Carry("blue", "a12", "a18")]


def test_two_that_change_places_both_move() -> None:
    standing = carried(CAMPS, carries(TOCK, CAMPS, Sight([("a", "a3"), ("c", "c9")])))
    orders = carries(TOCK, standing, Sight([("a", "c9"), ("c", "a3")]))
    assert sorted(orders) == [Carry("green", "c9", "a3"), Carry("red", "a3", "c9")]
    assert carried(standing, orders)["a3"] == ("green",)


def test_nothing_is_carried_to_where_it_stands() -> None:
    assert carries(TOCK, CAMPS, Sight()) == []


def test_those_who_arrived_stand_on_places_of_their_own() -> None:
    trikolos = board("trikolos")
    waiting = {cell.id: ("white",) for cell in trikolos.of_kind("camp") if cell.seat == "white"}
    sight = Sight({("white", "home"): 2})
    after = carried(waiting, carries(trikolos, waiting, sight))
    arrived = [cell for cell in after if after[cell] and trikolos.cell(cell).kind == "arrival"]
    assert len(arrived) == 2


def test_hands_leave_the_board_as_it_was_wanted() -> None:
    desk = Desk.of(boards.board("barricades"), (480, 480))
    asked = Sight([("a", "c1"), ("b", "g1")]) + Sight(
        [("barricade", cell) for cell, on in desk.standing().items() if on == ("barricade",)]
    )
    waits: list[float] = []
    Hands(waits.append).carry(desk, carries(desk.board, desk.standing(), asked))
    assert desk.standing()["c1"] == ("red",)
    assert desk.standing()["g1"] == ("blue",)
    assert desk.now.hand is None
    assert len(waits) == 6
