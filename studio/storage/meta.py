"""What is kept with each fact beside its body: who, why, and which release wrote it."""

import json
from functools import lru_cache

from studio import __version__
from studio.domain.envelope import Actor, ActorKind, Envelope, canonical


def write_meta(envelope: Envelope) -> str:
    """Give actor, cause and release as canonical JSON."""
    actor = envelope.actor
    return canonical(
        {
            "actor": [actor.kind.value, actor.name, actor.role],
            "cause": envelope.cause,
            "code": __version__,
        }
    )


# A day of one table repeats a few dozen authors thousands of times.
@lru_cache(maxsize=4096)
def read_meta(text: str) -> tuple[Actor, str]:
    """Give actor and cause back."""
    plain = json.loads(text)
    kind, name, role = plain["actor"]
    return Actor(ActorKind(kind), name, role), plain["cause"]
