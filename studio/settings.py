"""Typed configuration: read once, checked whole, frozen.

The file is TOML and holds what a studio engineer sets; secrets come from the environment and are
refused in the file. Every mistake becomes one sentence with the file, the key and what to do, and
all mistakes are told at once. Paths in the file are relative to the file.
"""

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SecretStr,
    model_validator,
)

from studio import configuration as rules
from studio.configuration import SettingsError, check, is_address, read_toml, without_passwords

__all__ = [
    "CameraSettings", "GameName", "Locale", "ObsSettings", "PlatformSettings", "Profile",
    "Retention", "Secrets", "Settings", "SettingsError", "ShoeSettings", "Source",
    "StudioSettings", "TableSettings", "WalletKind", "WalletSettings", "WebSettings", "load",
    "parse",
]  # fmt: skip

NAME = r"^[a-z0-9][a-z0-9-]{0,31}$"
"""Names of tables and platforms: they stand in addresses and in environment variables."""
SECONDS_MAX = 3600.0

SECRET_VARIABLES = {
    "obs.password": "CUTCARD_OBS_PASSWORD",
    "platforms.*.key": "CUTCARD_PLATFORM_*_KEY",
    "studio.broker": "CUTCARD_BROKER",
    "studio.database": "CUTCARD_DATABASE",
    "studio.secret_key": "CUTCARD_SECRET_KEY",
    "studio.signing_key": "CUTCARD_SIGNING_KEY_FILE",
    "tables.*.camera.source": "CUTCARD_CAMERA_*",
    "wallet.key": "CUTCARD_WALLET_KEY",
    "web.secret_key": "CUTCARD_SECRET_KEY",
}
"""Where a secret that stands in the file belongs instead."""


class Profile(StrEnum):
    """Whose rules about irregularities apply; all but `house` are unofficial templates."""

    HOUSE = "house"
    UKGC_LIKE = "ukgc-like"
    NJ_LIKE = "nj-like"
    AGCO_LIKE = "agco-like"
    SINGAPORE_LIKE = "singapore-like"


class Locale(StrEnum):
    """Languages of the screens."""

    ENGLISH = "en"
    URDU = "ur"
    HINDI = "hi"
    BENGALI = "bn"
    SINDHI = "sd"
    ARABIC = "ar"


class GameName(StrEnum):
    """The games that a table may deal."""

    BACCARAT = "baccarat"
    BLACKJACK = "blackjack"
    BOUNDLESS_BLACKJACK = "boundless-blackjack"
    BALOOT = "baloot"


class Source(StrEnum):
    """What can name a card at a table."""

    SHOE = "shoe"
    CAMERA = "camera"


class WalletKind(StrEnum):
    """Who holds the players' money."""

    EMBEDDED = "embedded"
    HTTP = "http"


Seconds = Annotated[float, Field(ge=0.5, le=SECONDS_MAX)]
WebAddress = Annotated[str, AfterValidator(rules.valid_web)]
Limit = Annotated[tuple[int, int], AfterValidator(rules.valid_limit)]
Name = Annotated[str, Field(pattern=NAME)]


class Strict(BaseModel):
    """Base of all sections: frozen, no unknown key, no guessing of types."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )


class Retention(Strict):
    """How long records are kept."""

    rounds_days: int = Field(1826, ge=1, le=36525)
    """Days for rounds, bets and the journal; five years by default."""
    video_days: int = Field(90, ge=1, le=36525)
    """Days for evidence pictures."""
    raw_wire_days: int = Field(365, ge=1, le=36525)
    """Days for the recorded bytes of devices."""


class StudioSettings(Strict):
    """The studio as a whole."""

    name: str = Field("Cutcard studio", min_length=1, max_length=80)
    """Shown on the consoles and in reports."""
    database: Annotated[str, AfterValidator(rules.valid_database)] = "sqlite:///var/cutcard.db"
    """Where the journal is: `sqlite:///FILE`, or `postgresql+psycopg://HOST/NAME`."""
    broker: str = Field("", pattern=r"^(rediss?://.+)?$")
    """`redis://…` when several processes serve screens; empty for one process."""
    profile: Profile = Profile.HOUSE
    """Whose table of irregularities applies."""
    currency: str = Field("EUR", pattern=r"^[A-Z]{3}$")
    """ISO 4217 code; all amounts are whole minor units of it."""
    locale: Locale = Locale.ENGLISH
    """Language of a screen that asked for none."""
    gaming_day_starts: str = Field("06:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    """Local time, HH:MM, at which a new gaming day begins (between rounds)."""
    time_zone: Annotated[str, AfterValidator(rules.valid_time_zone)] = "UTC"
    """Name in the tz database, as Europe/Riga."""
    retention: Retention = Retention()
    """How long records are kept."""

    def zone(self) -> ZoneInfo:
        """The studio's time zone."""
        return ZoneInfo(self.time_zone)


class WebSettings(Strict):
    """The web server."""

    bind: Annotated[str, AfterValidator(rules.valid_bind)] = "127.0.0.1:8000"
    """Host and port to listen on."""
    max_sockets: int = Field(200, ge=4, le=2000)
    """Open live connections; one more gets one clear refusal."""

    @property
    def host(self) -> str:
        """The host to listen on, without brackets."""
        return self.bind.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port to listen on."""
        return int(self.bind.rpartition(":")[2])


class WalletSettings(Strict):
    """Who holds the players' money."""

    kind: WalletKind = WalletKind.EMBEDDED
    """`embedded` in this database, or `http` for a platform that owns the wallets."""
    url: WebAddress = ""
    """Address of the platform's wallet, for `http`."""
    funds_s: float = Field(3.0, ge=0.5, le=30)
    """Seconds to wait for an answer; no answer means no."""

    @model_validator(mode="after")
    def _has_an_address(self) -> Self:
        if (self.kind is WalletKind.HTTP) != bool(self.url):
            raise ValueError('url belongs to kind = "http", and only to it: give both or neither')
        return self


class ShoeSettings(Strict):
    """One card shoe or reader on a wire."""

    driver: str = Field("cutcard-line", min_length=1)
    """Name of the driver; `cutcard devices --drivers` lists them."""
    url: str = ""
    """Port: a device path, `socket://HOST:PORT`, `rfc2217://…`, or `sim:` for a simulated one."""
    usb_serial: str = ""
    """Serial number of the USB adapter instead of `url`: it survives re-plugging."""
    identity: str = ""
    """Serial number that the device must name; another one is refused. Empty: any is welcome."""
    silence_s: Seconds = 3.0
    """After so many seconds without a byte the device counts as lost."""
    codes: str = Field("value", pattern="^(value|unique)$")
    """`value`: a code names a card value; `unique`: each physical card has its own code."""
    cards: Path | None = None
    """CSV that maps codes to cards, for readers that send codes."""
    rearm_s: float = Field(1.5, ge=0, le=60)
    """The same value again within this time asks "one card or two?" where no camera sees it."""
    no_read: str = "NR"
    """Text that a scanner sends when it could not read."""
    prefix: str = ""
    """Text before each code, removed before the code is looked up."""
    suffix: str = ""
    """Text after each code; empty means CR, LF or both."""
    line_timeout_ms: int = Field(500, ge=20, le=10000)
    """Bytes that make no line within this time are garbage."""
    options: dict[str, JsonValue] = {}
    """Settings of a driver of your own; the driver checks them."""

    @model_validator(mode="after")
    def _has_one_port(self) -> Self:
        if bool(self.url) == bool(self.usb_serial):
            raise ValueError("give exactly one of url and usb_serial")
        return self

    @property
    def simulated(self) -> bool:
        """Whether the device is simulated."""
        return self.url == "sim:"

    def for_driver(self) -> dict[str, Any]:
        """What the driver's `open` gets: all settings by name, its own options among them."""
        common = self.model_dump(exclude={"driver", "options"})
        return {**common, **self.options}


class CameraSettings(Strict):
    """One camera over the felt."""

    source: str = Field(min_length=1)
    """Index, device path, file, http(s) or rtsp address, or `synthetic:`."""
    layout: Path | None = None
    """The felt and its zones, from `cutcard calibrate`; a synthetic camera knows its own."""
    deck: Path | None = None
    """The studio's own deck, from `cutcard enrol`; without it cards are read as any deck's."""
    exposure: float | Literal["auto"] | None = None
    """Exposure as the camera's driver counts it, or "auto"; else as the camera has it."""
    gain: float | None = None
    """Gain as the camera's driver counts it."""
    focus: float | Literal["auto"] | None = None
    """Focus as the camera's driver counts it, or "auto"; a fixed one is better for cards."""
    white_balance: float | Literal["auto"] | None = None
    """Colour temperature in kelvin, or "auto"."""
    rate: float | None = Field(None, ge=1, le=240)
    """Frames a second that are asked of the camera."""
    format: str | None = Field(None, pattern="^[A-Za-z0-9 ]{4}$")
    """Format that is asked of the camera, as "MJPG" (which is asked without it) or "YUYV"."""

    @property
    def synthetic(self) -> bool:
        """Whether the pictures are rendered."""
        return self.source.startswith("synthetic:")

    @property
    def tuning(self) -> dict[str, float | str]:
        """What is set at the camera itself; what is not given is left as it is."""
        names = {"exposure", "gain", "focus", "white_balance", "rate", "format"}
        return self.model_dump(include=names, exclude_none=True)

    @model_validator(mode="after")
    def _has_a_layout(self) -> Self:
        if self.layout is None and not self.synthetic:
            raise ValueError("give layout: `cutcard calibrate` makes the file for this camera")
        return self


class TableSettings(Strict):
    """One table."""

    game: GameName
    """What is dealt here."""
    sources: tuple[Source, ...] = Field((Source.SHOE, Source.CAMERA), min_length=1)
    """What must name a card: the shoe, the camera, or both."""
    betting_s: float = Field(15.0, ge=1, le=600)
    """Seconds in which bets are open."""
    decision_s: float = Field(12.0, ge=1, le=600)
    """Seconds in which players decide."""
    insurance_s: float = Field(8.0, ge=1, le=600)
    """Seconds in which insurance is offered."""
    peek_s: float = Field(2.0, ge=0, le=60)
    """Seconds from a peek to the next public message, whatever the answer is."""
    result_s: float = Field(8.0, ge=0, le=600)
    """Seconds for which a result is shown before the next round may open."""
    reopen_min_s: float = Field(4.0, ge=0, le=600)
    """At least so many seconds are left in a window that a hold had suspended."""
    pace_s: float = Field(8.0, ge=1, le=600)
    """A card that is due is called late on the console after this time.

    The table is held for it after 30 s, or after this time where it is longer.
    """
    shares: Literal["live", "after", "off"] = "live"
    """When players are shown how all have chosen: while they choose, afterwards, or never."""
    silence_s: Seconds = 5.0
    """After one source has shown a card the other must within this time, else it is a fault."""
    limits: dict[str, Limit] = Field(min_length=1)
    """Smallest and greatest stake of each bet; a bet without limits is not offered. Bets of Baloot
    have theirs by family: `round`, `game`, `kaboot`."""
    rules: dict[str, JsonValue] = {}
    """Rules that differ from the game's defaults; the game checks them."""
    shoe: ShoeSettings | None = None
    """The card shoe, if the table has one."""
    camera: CameraSettings | None = None
    """The camera, if the table has one."""
    enrolled_deck: bool = False
    """Whether cards are dealt only while the camera reads with the studio's own enrolled deck.

    Without one no shoe is started and no round opens; the camera can still be shown the deck.
    """

    @model_validator(mode="after")
    def _sources_are_there(self) -> Self:
        if len(set(self.sources)) != len(self.sources):
            raise ValueError("sources names one source twice: name each once")
        for source, device in ((Source.SHOE, self.shoe), (Source.CAMERA, self.camera)):
            if source in self.sources and device is None:
                raise ValueError(
                    f'sources names "{source}", but the table has no section [….{source}]: add it, '
                    f'or take "{source}" out of sources'
                )
            if source not in self.sources and device is not None:
                raise ValueError(
                    f'the section [….{source}] is not used: add "{source}" to sources, or take '
                    "the section out"
                )
        return self

    @model_validator(mode="after")
    def _deck_is_named(self) -> Self:
        if self.enrolled_deck and (self.camera is None or self.camera.deck is None):
            raise ValueError(
                "enrolled_deck is true, but the camera names no deck: set `deck` in the section "
                "[….camera] to the file that `cutcard enrol` makes, or take enrolled_deck out"
            )
        return self


class PlatformSettings(Strict):
    """One betting platform."""

    webhook: WebAddress = ""
    """Address that gets each entry of the feed; empty means that the platform reads the feed."""


class ObsSettings(Strict):
    """OBS Studio's control port."""

    url: Annotated[str, AfterValidator(rules.valid_websocket)] = ""
    """As ws://127.0.0.1:4455; empty means no OBS."""


class Secrets(Strict):
    """What comes from the environment; never written, logged or hashed."""

    secret_key: SecretStr | None = None
    """`CUTCARD_SECRET_KEY`: signs the sign-in form; without it a key is made at each start.

    Sessions need none: they are random tokens whose hash is in the database.
    """
    obs_password: SecretStr | None = None
    """`CUTCARD_OBS_PASSWORD`."""
    wallet_key: SecretStr | None = None
    """`CUTCARD_WALLET_KEY`: signs calls to an `http` wallet."""
    signing_key_file: Path | None = None
    """`CUTCARD_SIGNING_KEY_FILE`: Ed25519 key that signs the head of the journal."""
    platform_keys: dict[str, SecretStr] = {}
    """`CUTCARD_PLATFORM_<NAME>_KEY` of each platform that has one, by the platform's name."""


class FileSettings(Strict):
    """What the configuration file may hold."""

    studio: StudioSettings = StudioSettings()
    """The studio as a whole."""
    web: WebSettings = WebSettings()
    """The web server."""
    wallet: WalletSettings = WalletSettings()
    """Who holds the players' money."""
    tables: dict[Name, TableSettings] = Field(min_length=1)
    """The tables by their names, which stand in addresses and in the journal."""
    platforms: dict[Name, PlatformSettings] = {}
    """The betting platforms by their names."""
    obs: ObsSettings = ObsSettings()
    """OBS Studio's control port."""


class Settings(FileSettings):
    """The whole configuration: the file, and what came from the environment."""

    secrets: Secrets = Field(Secrets(), exclude=True, repr=False)
    """What came from the environment."""
    file: Path = Field(Path("config.toml"), exclude=True)
    """Where this was read from."""

    def public(self) -> dict[str, Any]:
        """The settings as plain JSON values, without secrets and passwords in addresses."""
        return json.loads(without_passwords(self.model_dump_json()))  # type: ignore[no-any-return]

    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the settings without secrets, to trace a round to them."""
        text = json.dumps(self.public(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def load(path: Path, env: Mapping[str, str]) -> Settings:
    """Read the configuration file and the environment.

    Raises:
        SettingsError: with one sentence for each thing that is wrong.
    """
    return parse(read_toml(path), path, env)


def parse(values: Mapping[str, Any], path: Path, env: Mapping[str, str]) -> Settings:
    """Read a configuration that is not in a file yet; `path` is where it would be.

    Raises:
        SettingsError: with one sentence for each thing that is wrong.
    """
    read = check(FileSettings, values, path, SECRET_VARIABLES)
    made = _with_environment(Settings(**dict(read)), env)
    base = path.resolve().parent
    tables = {name: _table_from(table, base) for name, table in made.tables.items()}
    for key in ("layout", "deck"):
        files = {name: getattr(table.camera, key, None) for name, table in tables.items()}
        if problems := rules.shared_files(key, files):
            raise SettingsError(problems)
    studio = made.studio.model_copy(update={"database": _database_from(made.studio.database, base)})
    return made.model_copy(update={"studio": studio, "tables": tables, "file": path.resolve()})


def _with_environment(made: Settings, env: Mapping[str, str]) -> Settings:
    """Take the secrets, and the addresses that hold one, from the environment."""

    def secret(name: str) -> SecretStr | None:
        return SecretStr(env[name]) if env.get(name) else None

    def part(name: str) -> str:
        return name.upper().replace("-", "_")

    keys = {name: secret(f"CUTCARD_PLATFORM_{part(name)}_KEY") for name in made.platforms}
    key_file = env.get("CUTCARD_SIGNING_KEY_FILE")
    secrets = Secrets(
        secret_key=secret("CUTCARD_SECRET_KEY"),
        obs_password=secret("CUTCARD_OBS_PASSWORD"),
        wallet_key=secret("CUTCARD_WALLET_KEY"),
        signing_key_file=Path(key_file) if key_file else None,
        platform_keys={name: key for name, key in keys.items() if key is not None},
    )
    try:
        database = rules.valid_database(env.get("CUTCARD_DATABASE") or made.studio.database)
    except ValueError as error:
        raise SettingsError([f"environment: CUTCARD_DATABASE: {error}"]) from None
    broker = env.get("CUTCARD_BROKER") or made.studio.broker
    tables = dict(made.tables)
    for name, table in made.tables.items():
        source = env.get(f"CUTCARD_CAMERA_{part(name)}")
        if source and table.camera is not None:
            camera = table.camera.model_copy(update={"source": source})
            tables[name] = table.model_copy(update={"camera": camera})
    studio = made.studio.model_copy(update={"database": database, "broker": broker})
    return made.model_copy(update={"studio": studio, "tables": tables, "secrets": secrets})


def _database_from(url: str, base: Path) -> str:
    """Make the path of a SQLite file absolute; other databases keep their address."""
    prefix = "sqlite:///"
    if not url.startswith(prefix) or url in {prefix, f"{prefix}:memory:"}:
        return url
    return f"{prefix}{base / url.removeprefix(prefix)}"


def _table_from(table: TableSettings, base: Path) -> TableSettings:
    """Make the paths of a table absolute."""
    changes: dict[str, Any] = {}
    if table.shoe is not None and table.shoe.cards is not None:
        changes["shoe"] = table.shoe.model_copy(update={"cards": base / table.shoe.cards})
    camera = table.camera
    if camera is not None:
        source = camera.source
        if not source.isdigit() and not is_address(source):
            source = str(base / source)
        changes["camera"] = camera.model_copy(
            update={
                "source": source,
                "layout": base / camera.layout if camera.layout else None,
                "deck": base / camera.deck if camera.deck else None,
            }
        )
    return table.model_copy(update=changes) if changes else table
