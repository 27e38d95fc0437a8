"""The process that runs Blender: reads scenes from standard input and writes PNG files to standard output.

Started by `envs.render.cycles`, never by hand. Static solids stay in Blender between frames.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from envs.render.arrays import linear
from envs.render.cycles import as_error, receive, send
from envs.render.scene import (
    Box,
    Colour,
    Cylinder,
    Label,
    Light,
    Material,
    Mesh,
    Plain,
    Scene,
    Solid,
    Sphere,
    Texture,
    Wood,
)
from envs.render.textures import albedo, lettering

_LEFT = 0.8
"""The share of ambient light that the path tracer gets, because it computes bounced light itself."""


class Studio:
    """Blender's single scene, and the solids in it."""

    def __init__(self) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._still: tuple[Scene, int, int] | None = None
        self._moving: list[Any] = []

    def draw(self, scene: Scene, width: int, height: int, samples: int, path: Path) -> None:
        """Render the scene into a file."""
        still = (replace(scene, solids=tuple(solid for solid in scene.solids if not solid.moving)), width, height)
        if still != self._still:
            self._build(*still)
            self._still = still
        for thing in self._moving:
            bpy.data.meshes.remove(thing.data)
        self._moving = [_add(solid) for solid in scene.solids if solid.moving]
        bpy.context.scene.cycles.samples = samples
        bpy.context.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)

    def _build(self, scene: Scene, width: int, height: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._moving = []
        _settings(width, height)
        world = bpy.data.worlds.new("sky")
        bpy.context.scene.world = world
        _with_nodes(world)
        glow = [(linear(a) + linear(b)) / 2 * _LEFT for a, b in zip(scene.sky.above, scene.sky.below, strict=True)]
        world.node_tree.nodes["Background"].inputs["Color"].default_value = (*glow, 1.0)
        _camera(scene)
        for light in scene.lights:
            _lamp(light)
        for solid in scene.solids:
            _add(solid)


def _with_nodes(thing: Any) -> Any:
    if thing.node_tree is None:  # before Blender 5
        thing.use_nodes = True
    return thing


def _settings(width: int, height: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 15
    scene.render.use_persistent_data = True
    # Blender's default makes strong colours pale, but the colours of blocks matter here.
    scene.view_settings.view_transform = "Standard"
    cycles = scene.cycles
    cycles.device, cycles.seed, cycles.use_adaptive_sampling = "CPU", 0, False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 3, 2
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "FAST"


def _camera(scene: Scene) -> None:
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle_y = 2.0 * float(np.arctan(scene.camera.view / 2.0))
    camera = bpy.data.objects.new("camera", data)
    camera.location = scene.camera.position
    away = Vector(scene.camera.target) - Vector(scene.camera.position)
    if scene.camera.up is None:
        camera.rotation_euler = away.to_track_quat("-Z", "Y").to_euler()
    else:
        back = -away.normalized()
        right = Vector(scene.camera.up).cross(back).normalized()
        camera.rotation_euler = Matrix((right, back.cross(right), back)).transposed().to_euler()
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def _lamp(light: Light) -> None:
    data = bpy.data.lights.new("lamp", "AREA")
    data.shape, data.size = "DISK", light.radius * 2.0
    data.color = [linear(channel) for channel in light.colour]
    away = Vector(light.position) - Vector(light.aim)
    # Makes a white sheet that faces the lamp as bright as with `ray`.
    data.energy = light.strength * float(np.pi) ** 2 * away.length_squared
    lamp = bpy.data.objects.new("lamp", data)
    lamp.location = light.position
    lamp.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(lamp)


def _add(solid: Solid) -> Any:
    """Add the solid as a Blender object."""
    match solid.shape:
        case Box(size, bevel):
            bpy.ops.mesh.primitive_cube_add(size=1.0)
            scale = size
        case Sphere(radius):
            bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=radius)
            scale, bevel = (1.0, 1.0, 1.0), 0.0
        case Cylinder(radius, height):
            bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=radius, depth=height)
            scale, bevel = (1.0, 1.0, 1.0), 0.0
        case Mesh(points, faces, normals):
            mesh = bpy.data.meshes.new(solid.name)
            mesh.from_pydata(list(points), [], list(faces))
            if normals:
                mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
                mesh.normals_split_custom_set_from_vertices(list(normals))
            bpy.context.scene.collection.objects.link(bpy.data.objects.new(solid.name, mesh))
            bpy.context.view_layer.objects.active = bpy.context.scene.collection.objects[solid.name]
            scale, bevel = (1.0, 1.0, 1.0), 0.0
    thing = bpy.context.view_layer.objects.active
    thing.name = solid.name
    thing.data.transform(Matrix.Diagonal((*scale, 1.0)))
    turn = Matrix([solid.rotation[row * 3 : row * 3 + 3] for row in range(3)]).to_4x4()
    thing.matrix_world = Matrix.Translation(solid.position) @ turn
    if bevel > 0.0:
        modifier = thing.modifiers.new("bevel", "BEVEL")
        modifier.width, modifier.segments = bevel, 4
        thing.data.polygons.foreach_set("use_smooth", [True] * len(thing.data.polygons))
        thing.modifiers.new("normals", "WEIGHTED_NORMAL").keep_sharp = True
    thing.data.materials.append(_material(solid.material))
    return thing


def _material(material: Material) -> Any:
    made = _with_nodes(bpy.data.materials.new("material"))
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 0.35 if material.gloss > 0.0 else 0.7
    surface.inputs["Specular IOR Level"].default_value = 0.35 if material.gloss > 0.0 else 0.15
    match material.texture:
        case Plain(colour):
            surface.inputs["Base Color"].default_value = _rgba(colour)
        case Wood():
            made.node_tree.links.new(_grain(made.node_tree, material.texture), surface.inputs["Base Color"])
        case Label():
            made.node_tree.links.new(_print(made.node_tree, material.texture), surface.inputs["Base Color"])
        case _:
            surface.inputs["Base Color"].default_value = (*_mean(material.texture), 1.0)
    surface.inputs["Emission Strength"].default_value = material.glow
    surface.inputs["Emission Color"].default_value = surface.inputs["Base Color"].default_value
    return made


def _mean(texture: Texture) -> tuple[float, float, float]:
    """The mean colour of a pattern as linear light; patterns of homes are not drawn in detail here."""
    steps = np.linspace(-0.5, 0.5, 12)
    point = np.stack([axis.ravel() for axis in np.meshgrid(steps, steps, steps)])
    normal = np.repeat([[0.0], [0.0], [1.0]], point.shape[1], axis=1)
    red, green, blue = albedo(texture, point, normal, np.full(point.shape[1], 0.01)).mean(axis=1).tolist()
    return red, green, blue


def _rgba(colour: Colour) -> tuple[float, float, float, float]:
    red, green, blue = (linear(channel) for channel in colour)
    return red, green, blue, 1.0


def _grain(tree: Any, wood: Wood) -> Any:
    """Wood: broad and fine noise, stretched along the grain, between two colours."""
    place, both = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMath")
    both.operation = "ADD"
    for number, scale in enumerate(((2.5, 50.0, 50.0), (14.0, 420.0, 420.0))):
        stretch, noise = tree.nodes.new("ShaderNodeMapping"), tree.nodes.new("ShaderNodeTexNoise")
        stretch.inputs["Location"].default_value = (wood.seed * 0.37 % 50.0, wood.seed * 0.73 % 50.0, 0.0)
        stretch.inputs["Scale"].default_value = scale
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 1.0, 4.0
        tree.links.new(place.outputs["Object"], stretch.inputs["Vector"])
        tree.links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
        tree.links.new(noise.outputs["Fac"], both.inputs[number])
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    # The sum of two noises stays near 1; the ramp uses its actual range, halved by the node below.
    half = tree.nodes.new("ShaderNodeMath")
    half.operation, half.inputs[1].default_value = "MULTIPLY", 0.5
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.36, 0.64
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = _rgba(wood.dark), _rgba(wood.light)
    tree.links.new(both.outputs["Value"], half.inputs[0])
    tree.links.new(half.outputs["Value"], ramp.inputs["Fac"])
    return ramp.outputs["Color"]


def _print(tree: Any, label: Label) -> Any:
    """Paper with lettering on the side that faces -y."""
    ink = lettering(label.text)
    rows, columns = ink.shape
    width, height = label.size
    scale = min(height * 0.92 / rows, width * 0.86 / columns)
    sheet = np.zeros((round(height / scale), round(width / scale)))
    top, left = (sheet.shape[0] - rows) // 2, (sheet.shape[1] - columns) // 2
    sheet[top : top + rows, left : left + columns] = ink / 255.0
    share = sheet[::-1, :, None]
    pixels = np.ones((*sheet.shape, 4), dtype=np.float32)
    pixels[..., :3] = np.array(label.paper) * (1.0 - share) + np.array(label.ink) * share
    image = bpy.data.images.new(label.text, sheet.shape[1], sheet.shape[0])
    image.pixels.foreach_set(pixels.ravel())
    place, lay = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    lay.inputs["Rotation"].default_value = (-float(np.pi) / 2.0, 0.0, 0.0)
    lay.inputs["Scale"].default_value = (1.0 / width, 1.0 / height, 1.0 / height)
    lay.inputs["Location"].default_value = (0.5, 0.5, 0.0)
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image, texture.extension = image, "EXTEND"
    tree.links.new(place.outputs["Object"], lay.inputs["Vector"])
    tree.links.new(lay.outputs["Vector"], texture.inputs["Vector"])
    return texture.outputs["Color"]


def _plain(png: bytes) -> bytes:
    """The file without Blender's metadata, whose times would make equal pictures differ."""
    kept, place = [png[:8]], 8
    while place < len(png):
        end = place + 12 + int.from_bytes(png[place : place + 4], "big")
        if png[place + 4 : place + 8] in (b"IHDR", b"IDAT", b"IEND"):
            kept.append(png[place:end])
        place = end
    return b"".join(kept)


def main() -> None:
    """Answer until standard input ends."""
    # Blender prints to standard output, which is reserved for answers, so its output goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    studio = Studio()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.png"
        while True:
            try:
                scene, width, height, samples = pickle.loads(receive(sys.stdin.buffer))
            except EOFError:
                return
            try:
                studio.draw(scene, width, height, samples, path)
                answer: Any = ("picture", _plain(path.read_bytes()))
            except Exception as error:  # report any Blender error to the parent
                answer = as_error(error)
            send(answers, pickle.dumps(answer))


if __name__ == "__main__":
    main()
