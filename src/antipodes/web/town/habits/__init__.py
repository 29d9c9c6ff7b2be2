"""Habits of people: functions that each do one thing at one visit."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from antipodes.web.town.habits import (
    accounts,
    curious,
    events,
    explorer,
    letters,
    moderating,
    play,
    programs,
    reader,
    settings,
    society,
    study,
)
from antipodes.web.town.person import Habit, Person

# Habits, and how often each is chosen beside the others.
HABITS: dict[Habit, float] = {
    accounts.sign_up: 60,
    accounts.confirm_address: 3,
    accounts.sign_in: 0.5,
    accounts.choose_language: 0.3,
    accounts.play_by_mail: 0.5,
    accounts.export_data: 0.3,
    accounts.make_mail_token: 0.1,
    accounts.delete_account: 0.8,
    accounts.forget_password: 0.2,
    accounts.open_link_of_mail: 0.5,
    accounts.use_two_factors: 0.3,
    curious.follow_links: 12,
    curious.send_any_form: 10,
    events.host_tournament: 1,
    events.take_part: 8,
    events.direct: 2,
    events.follow_event: 0.5,
    events.host_simul: 0.5,
    events.found_club: 0.5,
    events.run_club: 1,
    explorer.call_any_operation: 8,
    explorer.send_any_commands: 1.5,
    letters.answer: 5,
    letters.read_mailbox: 1,
    letters.answer_old_mail: 0.2,
    letters.bounce: 0.1,
    letters.seek_by_mail: 0.2,
    letters.send_commands: 1,
    moderating.moderate: 4,
    play.begin_alone: 1,
    play.post_challenge: 4,
    play.post_slow_challenge: 1,
    play.join_anybody: 5,
    play.answer_invitation: 2,
    play.sit_down: 10,
    play.go_on: 40,
    play.lose_connection: 1,
    programs.answer_challenge: 0.5,
    programs.become_bot: 0.001,
    programs.lend_engine: 0.2,
    programs.make_token: 1,
    programs.challenge_by_program: 1,
    programs.move_by_program: 3,
    reader.read_on: 2,
    settings.adjust: 1,
    settings.change_address: 0.3,
    settings.sleep_for_weeks: 0.02,
    settings.take_pushes: 1,
    society.look_around: 2,
    society.relate: 1,
    society.report: 0.5,
    society.go_away: 0.5,
    society.speak_up: 4,
    society.talk: 1,
    society.seek: 3,
    study.solve_puzzle: 2,
    study.write_study: 3,
    study.share_study: 1,
    study.solve_mistake: 2,
    study.analyse: 1,
    study.learn: 2,
    study.write_note: 1,
}

# What people of every town do as often as of any other.
_ALWAYS = (accounts.sign_up, play.go_on, play.sit_down, moderating.moderate)
_FASHION = (0.4, 1.0, 1.0, 2.5)
# What a person must remember to do something: events and clubs of theirs, a token.
_NEEDS: dict[Habit, str] = {
    events.direct: "hosted",
    events.run_club: "clubs",
    programs.answer_challenge: "token",
    programs.become_bot: "token",
    programs.lend_engine: "token",
    programs.move_by_program: "token",
}
# Most who have no account try these only after signing up.
_WITH_ACCOUNT: tuple[Habit, ...] = (
    accounts.delete_account,
    accounts.export_data,
    accounts.sign_in,
    accounts.use_two_factors,
    events.found_club,
    events.host_tournament,
    programs.become_bot,
    programs.make_token,
    settings.adjust,
    settings.change_address,
    settings.take_pushes,
    society.speak_up,
)
# How many times as often people do what the present asks of them.
_ATTENTION = 20  # go on with a game in which it is their turn
_EXPECTATION = 15  # go to the board of a game that they have sought
_DUTY = 15  # moderate, if they have been appointed
# How many times as often people of a character do something; the others do all as often as above.
_BY_MAIL: dict[Habit, float] = {
    accounts.sign_up: 5,
    letters.read_mailbox: 60,
    letters.answer_old_mail: 60,
    letters.bounce: 5,
    letters.send_commands: 20,
    accounts.play_by_mail: 20,
    play.go_on: 0.3,
    play.post_slow_challenge: 5,
}
_READS: dict[Habit, float] = {
    reader.read_on: 75,
    accounts.sign_in: 10,
    accounts.forget_password: 10,
    accounts.open_link_of_mail: 10,
    accounts.use_two_factors: 20,
    explorer.call_any_operation: 4,
    explorer.send_any_commands: 8,
    letters.send_commands: 3,
}
CHARACTERS: tuple[dict[Habit, float], ...] = (
    {},
    # plays live, against people
    {play.join_anybody: 4, play.go_on: 2, society.seek: 3, play.begin_alone: 0.3},
    _BY_MAIL,
    # plays by mail alone
    {
        letters.read_mailbox: 100,
        letters.answer_old_mail: 100,
        letters.send_commands: 80,
        accounts.sign_up: 0,
        play.go_on: 0,
        play.sit_down: 0,
    },
    # hosts and directs
    {
        events.host_tournament: 6,
        events.take_part: 4,
        events.host_simul: 6,
        events.found_club: 4,
        events.direct: 6,
        events.run_club: 4,
    },
    # is a program
    {
        programs.make_token: 8,
        programs.become_bot: 500,
        programs.move_by_program: 8,
        programs.challenge_by_program: 5,
        programs.answer_challenge: 10,
        programs.lend_engine: 20,
        explorer.call_any_operation: 8,
    },
    _BY_MAIL,
    # studies
    {
        study.write_study: 6,
        study.solve_puzzle: 6,
        study.solve_mistake: 6,
        study.analyse: 3,
        study.learn: 3,
        play.go_on: 0.5,
    },
    # quarrels
    {
        society.relate: 8,
        society.report: 6,
        society.speak_up: 5,
        society.talk: 4,
        play.post_challenge: 3,
        play.join_anybody: 4,
        accounts.delete_account: 4,
    },
    _READS,
    _READS,
)


def fashions(seed: int) -> dict[Habit, float]:
    """Return how many times as often people of a seed's town do each thing.

    Each town does some things often and others rarely, so that what many seeds find together
    is more than what each would find if all towns were the same ("swarm testing").
    """
    chance = random.Random(f"{seed}/fashions")
    factors = {habit: chance.choice(_FASHION) for habit in HABITS}
    by_place = {habit.__module__: chance.choice(_FASHION) for habit in HABITS}
    return {
        habit: 1.0 if habit in _ALWAYS else factor * by_place[habit.__module__]
        for habit, factor in factors.items()
    }


def weights_of(
    person: Person, factors: Mapping[Habit, float] = MappingProxyType({})
) -> dict[Habit, float]:
    """Return a person's habits, and how often each is chosen beside the others.

    Args:
        person: of a character.
        factors: of the town, by which these numbers are multiplied.
    """
    character = CHARACTERS[person.character % len(CHARACTERS)]
    weights = {
        habit: weight * character.get(habit, 1) * factors.get(habit, 1)
        for habit, weight in HABITS.items()
    }
    if play.is_to_move(person):
        weights[play.go_on] *= _ATTENTION
    elif person.memory.get("expects"):
        weights[play.sit_down] *= _EXPECTATION
    for habit, needed in _NEEDS.items():
        if not person.memory.get(needed):
            weights[habit] = 0.0
    for habit in _WITH_ACCOUNT if not person.has_account else (accounts.sign_up,):
        weights[habit] = 0.0
    weights[moderating.moderate] *= _DUTY if person.is_moderator else 0
    return weights
