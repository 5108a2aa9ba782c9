# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page that opens from disk: `breakeven-report results.h5 -o report.html`."""

from breakeven_analysis.page.data import page_data
from breakeven_analysis.page.document import page_of

__all__ = ["page_data", "page_of"]
