"""Files of the hardware catalogue with a chip of a project's own."""

CHIP = """\
schema: accelerators/1
sources:
  {id}-sheet: {{title: 'Data {title}', url: 'https://example.org/', as_of: '2026', tier: official}}
chips:
- id: {id}
  vendor: Somebody
  name: Chip {short}
  short_name: {short}
  year: 2024
  kind: gpu
  memory: {{type: HBM, capacity: {{value: 80, unit: GB, source: {id}-sheet, as_of: '2026'}},
    bandwidth: {{value: {rate}, unit: GB/s, source: {id}-sheet, as_of: '2026'}}}}
  peak_dense: {{bf16: {{value: {peak}, unit: TFLOP/s, source: {id}-sheet, as_of: '2026'}}}}
  interconnect: {{kind: none, topology: none}}
"""


def chip(name: str, *, rate: int = 4800, peak: int = 989, title: str = "sheet") -> str:
    """A file of the catalogue's schema with one chip."""
    return CHIP.format(id=name, short=name.capitalize(), rate=rate, peak=peak, title=title)
