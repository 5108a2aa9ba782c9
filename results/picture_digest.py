# SPDX-License-Identifier: Apache-2.0
"""A digest of a picture's contents: its numbers by their place in the axes, its colours and its words. Pixels do not
count, because they change with fonts and with versions of the drawing library."""
import hashlib

import numpy as np

KEY = "breakeven-digest"  # of the text in a PNG
STEPS = 4999.3  # different places along an axis; chosen so that round shares of an axis are not on a border


def digest(figure):
    """Of all artists of a matplotlib figure except ticks, spines and backgrounds."""
    parts = [text.get_text() for text in figure.texts]
    parts += [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    for axes in figure.axes:
        parts += [axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()]
        for artist in drawn(axes):
            parts += described(artist, axes)
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:32]


def drawn(axes):
    left_out = {axes.patch, axes.xaxis, axes.yaxis, *axes.spines.values()}
    return [artist for artist in axes.get_children() if artist not in left_out and artist.get_visible()]


def described(artist, axes):
    """Its words, its colours and its places."""
    from matplotlib.text import Text
    parts = [type(artist).__name__]
    if isinstance(artist, Text):
        parts.append(artist.get_text())
    for ask in ("get_marker", "get_linestyle", "get_hatch"):
        if hasattr(artist, ask):
            parts.append(getattr(artist, ask)())
    for ask in ("get_facecolor", "get_color"):
        if hasattr(artist, ask):
            parts.append(colours(getattr(artist, ask)()))
    parts += [places(points, axes) for points in points_of(artist)]
    return parts


def colours(colour):
    from matplotlib.colors import to_rgba_array
    return np.round(to_rgba_array(colour) * 255).astype(int).tolist()


def points_of(artist):
    """Its corners in the units of its axes."""
    if hasattr(artist, "get_xydata"):
        return [artist.get_xydata()]
    if hasattr(artist, "get_offsets") and len(artist.get_offsets()) > 1:
        return [np.asarray(artist.get_offsets())]
    if hasattr(artist, "get_paths"):
        return [path.vertices for path in artist.get_paths()]
    if hasattr(artist, "get_patch_transform"):
        return [artist.get_patch_transform().transform(artist.get_path().vertices)]
    if hasattr(artist, "get_array") and artist.get_array() is not None:
        return [np.ravel(artist.get_array()).reshape(-1, 1).repeat(2, axis=1)]
    return []


def places(points, axes):
    """Along both axes, in steps too small to see."""
    with np.errstate(all="ignore"):
        shares = (axes.transScale + axes.transLimits).transform(np.asarray(points, float))
    steps = np.round(shares * STEPS)
    return [["-" if not np.isfinite(step) else int(step) for step in pair] for pair in steps]
