"""Protections: one mechanism with an order of use, asked by every attack in the same way (R30-R38, D15).

What an attack is, is data: its ``Move`` and its row of the matrix. ``outer`` walks the layers 1-6 for one hit; ``wards``
asks the items of layer 7 for all hits of a phase together (R32); ``flesh.py`` has armour and elixirs (layers 8 and 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.model import Seat
from engine.rulesets.mafialife import matrix
from engine.rulesets.mafialife.matrix import ROWS, Cell
from engine.rulesets.mafialife.night import GUARD_RANK, Act, Hit, Night, Return
from engine.rulesets.mafialife.roles import DEN, OFFICE, UNDEAD, WALKING_UNDEAD


@dataclass(frozen=True, slots=True)
class Layer:
    """A protection outside the inventory: its column of the matrix, the reason it gives, and which acts stand for it."""

    column: str
    reason: str
    action: str
    team: str | None = None
    """A team-wide protection covers the living official members of this team."""
    rule: str = ""

    def acts(self, night: Night, target: Seat) -> list[Act]:
        """The guards of this kind that stand over the target, in order of arrival: from the night's start until their owner is
        foiled (D23)."""
        if self.team is not None:
            return list(night.open_acts(self.action)) if target in night.members[self.team] else []
        if self.column == "LR":
            return [act for act in night.open_acts(self.action) if act.owner == target]
        return [act for act in night.open_acts(self.action) if target in act.targets and night.stands(act)]


LAYERS: tuple[Layer, ...] = (
    Layer("OG", "office_guard", "guard_office", OFFICE, "R123"),
    Layer("PC", "psycho_guard_checks", "guard_office_checks", OFFICE, "R158"),
    Layer("PM", "psycho_guard_mafia", "guard_office_mafia", OFFICE, "R159"),
    Layer("GD", "den_guard", "guard_den", DEN, "R138"),
    Layer("AG", "agent_guard", "guard", None, "R136"),
    Layer("AK", "agent_kill_attacker", "kill_attacker", None, "R137"),
    Layer("AS", "assistant_guard", "guard_commissioner", None, "R128"),
    Layer("AP", "apostate_guard", "guard_necromancer", None, "R148"),
    Layer("LR", "lair", "lair", None, "R85"),
    Layer("AL", "auto_lair", "", None, "R80"),
    Layer("KA", "autoprotect", "", None, "R91"),
    Layer("innate", "", "", None, "R103 R88 R163"),
    Layer("SH", "super_heal", "super_heal", None, "R151"),
    Layer("HL", "heal", "heal", None, "R150"),
    Layer("HO", "heal_office", "heal_office", OFFICE, "R153"),
)
"""R31, layers 1-6, from outside in."""


def has_auto_lair(night: Night, seat: Seat) -> bool:
    """R80: a maniac of level 0."""
    player = night.player(seat)
    return player.role == "maniac" and player.level == 0


def _autoprotected(night: Night, seat: Seat) -> bool:
    """R91; it stops neither recruiting nor framing (D42)."""
    player = night.player(seat)
    return player.role == "killer" and player.level <= night.tables.killer.autoprotect_to


def outer(night: Night, hit: Hit) -> bool:
    """Walk the layers 1-6. True when one of them stopped the hit: its reason stands in ``hit.stop``."""
    row = ROWS[hit.row]
    for layer in LAYERS:
        if layer.column == "innate":
            hit.stop = _innate(night, hit)
        elif layer.column in ("AL", "KA"):
            hit.stop = _automatic(night, hit, layer, row[layer.column])
        else:
            hit.stop = _guarded(night, hit, layer, row[layer.column])
        if hit.stop is not None:
            night.note("layers", "stopped", layer.rule, hit.act.refs, player=hit.attacker, target=hit.target, reason=hit.stop)
            if hit.act.move.deadly:
                night.reached[hit.target] = None
            return True
    return False


def _innate(night: Night, hit: Hit) -> str | None:
    """Layer 5: the mother of the attacker (R103), immunity (R88, R45, R163)."""
    attacker, target = night.player(hit.attacker), night.player(hit.target)
    if hit.act.move.deadly and attacker.mother == hit.target:
        return "mother"
    immune = {
        "bite": target.role == "necromancer",
        "poison": target.role == "necromancer",
        "necro_poison": target.role == "maniac",
        "vampire_bite": target.role == "necromancer" or target.role in UNDEAD,
        "licence_vampire": target.role == "necromancer",
    }
    return "immune" if immune.get(hit.row, False) else None


def _automatic(night: Night, hit: Hit, layer: Layer, cell: Cell) -> str | None:
    """Layer 4 without an order: the auto-lair of a maniac and the killer's autoprotection."""
    if layer.column == "KA":
        if cell.effect != "S" or not _autoprotected(night, hit.target):
            return None
        night.earn(hit.target, night.tables.pay("killer", "autoprotect"))
        return layer.reason
    if not has_auto_lair(night, hit.target):
        return None
    if cell.note == matrix.AIDS_ONLY:
        hit.softened = True
        return None
    return layer.reason if cell.effect == "S" or _repelled_journalist(night, hit) else None


def _repelled_journalist(night: Night, hit: Hit) -> bool:
    """D29, option ``auto_lair_vs_journalist``."""
    asked = hit.act.role == "mafia_journalist" and hit.act.action in ("check", "steal_documents", "learn_role")
    return asked and night.tables.auto_lair_vs_journalist == "repel"


def _guarded(night: Night, hit: Hit, layer: Layer, cell: Cell) -> str | None:
    """A layer that somebody's move keeps up: guards, lair, heals."""
    guards = layer.acts(night, hit.target) if cell.effect in ("S", "K", "P") else []
    if not guards:
        return None
    effect = _effect(night, hit, cell, guards)
    if cell.note == matrix.GUARDING_COMMISSIONER:
        guards = [guard for guard in guards if guard.owner != hit.target]
    if effect == "P":
        hit.act.pierced = True
        return None
    if effect not in ("S", "K"):
        return None
    for guard in guards:
        guard.stopped = True
        if layer.column in ("AG", "AK"):
            night.driven_off.append((guard, hit.attacker))
    if effect == "K":
        night.returns.append(Return(hit.attacker, GUARD_RANK, layer.reason, guards[0].owner, guards[0], layer.rule,
                                    hit.act.number))  # fmt: skip
    return layer.reason


def _effect(night: Night, hit: Hit, cell: Cell, guards: Sequence[Act]) -> str:
    """A cell of the matrix with its footnote applied; where it says K the attacker dies, too (R56)."""
    attacker = night.player(hit.attacker)
    if cell.note == matrix.GUARDING_COMMISSIONER:
        return cell.effect if any(guard.owner != hit.target for guard in guards) else "-"
    if cell.note == matrix.FROM_DEN:
        return cell.effect if attacker.faction == DEN else "-"
    if cell.note == matrix.NOT_DEN_RECRUITED:
        return "-" if attacker.faction == DEN else cell.effect
    if cell.note == matrix.UNLESS_AUTO_LAIR:
        return "S" if has_auto_lair(night, hit.attacker) else cell.effect
    if cell.note == matrix.TWO_COMMISSIONERS:
        return "S" if len(guards) > 1 else cell.effect
    if cell.note == matrix.AIDS_ONLY:
        # R101, R102: a super heal keeps AIDS off, unless an auto-lair has taken it away before.
        return "-" if hit.softened and hit.act.action == "aids" else cell.effect
    return cell.effect


# --- Layer 7: items against attacks ------------------------------------------------------------------------------------


def wards(night: Night, hits: Sequence[Hit]) -> None:
    """Ask the items of layer 7 for all hits of one phase that reached it; those that are stopped get their reason."""
    for target in dict.fromkeys(hit.target for hit in hits):
        here = [hit for hit in hits if hit.target == target and hit.stop is None]
        _against_girls(night, target, [hit for hit in here if ROWS[hit.row]["AR"].note == matrix.KILLER_ANTIGIRL])
        _against_undead(night, target, [hit for hit in here if hit.act.move.undead])
        by_item: dict[str, list[Hit]] = {}
        for hit in here:
            item = _antirole(hit)
            if item is not None and hit.stop is None:
                by_item.setdefault(item, []).append(hit)
        for item, group in by_item.items():
            _units(night, target, (item,), group)


def _antirole(hit: Hit) -> str | None:
    """R38: the antirole that wards this hit; licences know none, girls have their own."""
    cell = ROWS[hit.row]["AR"]
    if cell.effect != "U" or cell.note == matrix.KILLER_ANTIGIRL:
        return None
    return f"anti_{hit.act.move.antirole or hit.act.role}"


def _units(night: Night, target: Seat, items: Sequence[str], hits: Sequence[Hit]) -> None:
    """R32: one unit wards one attack; more attacks than units, and none is stopped while all units are gone."""
    owned = [item for kind in items for item in [kind] * night.player(target).owns(kind)]
    if not owned or not hits:
        return
    if len(hits) > len(owned):
        night.use_up(target, owned, "R32", tuple(ref for hit in hits for ref in hit.act.refs))
        night.note("layers", "overrun", "R32", target=target, items=owned)
        return
    for hit, item in zip(hits, owned, strict=False):
        _stop(night, hit, item)
        night.use_up(target, [item], "R32", hit.act.refs)


def _stop(night: Night, hit: Hit, reason: str) -> None:
    hit.stop = reason
    if hit.act.move.deadly:
        night.reached[hit.target] = None


def _against_girls(night: Night, target: Seat, hits: Sequence[Hit]) -> None:
    """R90, R33: a killer's property stops all; else condoms and antigirls together, condoms first."""
    player = night.player(target)
    if player.role == "killer" and player.level >= night.tables.killer.antigirl_from:
        for hit in hits:
            _stop(night, hit, "condom")
        return
    _units(night, target, ("condom", "anti_girl"), hits)


def _against_undead(night: Night, target: Seat, hits: Sequence[Hit]) -> None:
    """R34, R96: killer's property, antiundead, cross, stake (D17); the antiroles of ghost and vampire come after."""
    player = night.player(target)
    if player.role == "killer" and player.level >= night.tables.killer.antiundead_from:
        for hit in hits:
            _stop(night, hit, "antiundead")
    else:
        _units(night, target, ("antiundead",), hits)
    walking = [hit for hit in hits if night.player(hit.attacker).role in WALKING_UNDEAD and not hit.act.extra]
    _units(night, target, ("cross",), [hit for hit in walking if hit.stop is None])
    _units(night, target, ("stake",), [hit for hit in walking if hit.stop is None and hit.act.action == "vampire_bite"])
    for hit in walking:
        if hit.stop in ("antiundead", "stake"):
            night.returns.append(Return(hit.attacker, GUARD_RANK, hit.stop, target, None, "R34", hit.act.number))
