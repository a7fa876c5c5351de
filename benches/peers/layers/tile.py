"""Whether the triangles of `umm opt solve` tile the polygons of a file, as geopandas reads them.

    tile.py UMM FILE... [-- OPTION...]

Of each polygon: the triangles' areas sum up to its area, none leaves it, and no two overlap (they are a
valid coverage). The relative tolerance is 1e-9: GEOS computes in f64. Polygons that are not valid in the
file, and what `umm` refuses, are counted.
"""

import json
import os
import subprocess
import sys
import tempfile

import geopandas
import shapely

TOLERANCE = 1e-9


def polygons(path):
    """All polygons of a file, by feature."""
    for layer in geopandas.list_layers(path)["name"]:
        frame = geopandas.read_file(path, layer=layer)
        yield layer, [
            [it for it in shapely.get_parts(shape) if it.geom_type == "Polygon"]
            for shape in frame.geometry.values
            if shape is not None and not shape.is_empty
        ]


def solve(umm, path, layer, options):
    """The triangles of a layer, and how many polygons were refused."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "triangles.geojson")
        words = [umm, "opt", "solve", path, "--json", "--triangles", out, *options]
        if path.endswith(".json") and '"Topology"' in open(path).read(4096):
            words += ["--member", layer]
        done = subprocess.run(words, capture_output=True, text=True)
        if not os.path.exists(out):
            return None, done.stderr.strip()
        rows = json.load(open(out))["features"]
        return [shapely.geometry.shape(it["geometry"]) for it in rows], json.loads(done.stdout)


def tiles(triangles, polygon):
    """Whether triangles tile a polygon."""
    area = polygon.area
    total = sum(it.area for it in triangles)
    out = shapely.difference(shapely.union_all(triangles), polygon).area
    return (
        abs(total - area) <= TOLERANCE * area
        and out <= TOLERANCE * area
        and shapely.coverage_is_valid(triangles)
    )


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    (umm, *files), options = words[:cut], words[cut + 1 :]
    failed = False
    for path in files:
        for layer, features in polygons(path):
            triangles, report = solve(umm, path, layer, options)
            every = [it for parts in features for it in parts]
            if triangles is None:
                print(f"{path} {layer}: {len(every)} polygons, none solved: {report[:200]}")
                failed = True
                continue
            # Each triangle belongs to the polygon that its middle is in.
            tree = shapely.STRtree(every)
            middles = [shapely.centroid(it) for it in triangles]
            found = tree.query(middles, predicate="within")
            owned = [[] for _ in every]
            for triangle, polygon in found.T:
                owned[polygon].append(triangles[triangle])
            valid = [(own, it) for own, it in zip(owned, every) if it.is_valid]
            good = sum(tiles(own, it) for own, it in valid)
            print(
                f"{os.path.basename(path)} {layer}: {len(features)} features, {len(every)} polygons, "
                f"{len(valid)} valid, {good} tiled, {report['refused']} refused, "
                f"{len(triangles)} triangles"
            )
    sys.exit(failed)


main()
