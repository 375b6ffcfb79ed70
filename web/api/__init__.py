"""The machine's side of the page: JSON in, JSON out, each route declared with its form."""

from web.api.fittings import desk as fittings_desk
from web.api.host import desk as host_desk
from web.api.machine import desk as machine_desk
from web.api.records import desk as records_desk
from web.api.seats import desk as seats_desk
from web.api.table import desk as table_desk
from web.api.twin import desk as twin_desk

DESKS = (table_desk, seats_desk, host_desk, fittings_desk, records_desk, machine_desk, twin_desk)
