"""A tray of thrown dice in Blender: meshes, materials, light, Bullet's throw and Cycles' picture.

One unit is a centimetre. Gravity is a tenth of the earth's, so that Bullet's steps are fine enough; where dice come to
rest does not depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector
from numpy.typing import NDArray

from tests.bench.ray_traced.faces import LetteredDie, face_frame
from tests.bench.ray_traced.looks import Mask

Picture = NDArray[np.float32]
Thing = Any  # what Blender makes carries no types

Cell = tuple[float, float, float, float]
"""Left, bottom, width and height of a part of an image, 0 to 1."""

SIZE: Final = (1280, 720)
INRADIUS: Final = {"d20": 0.795, "cube": 0.577, "d4": 0.333, "d8": 0.577, "d10": 0.6, "d12": 0.795}
CIRCUMRADIUS: Final = {"d20": 1.26, "cube": 1.36, "d4": 1.3, "d8": 1.2, "d10": 1.2, "d12": 1.25}
"""In centimetres, as dice are sold: a d20 of 20 mm across its faces, cubes of 16 mm."""

_LITTER: Final = {"coin": 1.3, "pencil": 7.5, "card": 5.5}
"""How far each thing reaches, in centimetres."""


@dataclass(frozen=True)
class Rested:
    """A die when it lies still: its corners in the picture (pixels), its middle, and its upper face.

    `lean` is the angle in degrees between the upper face and the table; `above` how far, in circumradii, it lies over
    where it would lie on the table alone; `turn` the rotation from the die's frame to the camera's, and `up` what is up
    there, as in `vision.pose.geometry`.
    """

    die: LetteredDie
    corners: NDArray[np.float64]
    centre: tuple[float, float]
    radius: float
    face: int
    lean: float
    above: float
    turn: NDArray[np.float64]
    up: NDArray[np.float64]


class World:
    """One scene, built anew for each tray."""

    def __init__(self, rng: np.random.Generator, samples: int, size: tuple[int, int] = SIZE) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.rng, self.size = rng, size
        self.scene: Thing = bpy.context.scene
        scene = self.scene
        scene.render.engine = "CYCLES"
        scene.cycles.device = "CPU"
        scene.cycles.samples = samples
        scene.cycles.use_denoising = True
        scene.cycles.max_bounces = 6
        scene.cycles.seed = int(rng.integers(1 << 30))
        scene.render.resolution_x, scene.render.resolution_y = size
        scene.render.resolution_percentage = 100
        scene.render.image_settings.file_format = "OPEN_EXR"
        scene.view_settings.view_transform = "Raw"
        scene.gravity = (0, 0, -98.1)

    # -- camera and light ------------------------------------------------------------------------------------------

    def camera(self, *, radius: float, hfov: float, askew: float) -> None:
        """A camera above that shows a d20 with a circumradius of so many pixels, `askew` degrees off straight down."""
        focal = self.size[0] / 2 / math.tan(math.radians(hfov) / 2)
        self.height = focal * 1.26 / radius
        data = bpy.data.cameras.new("camera")
        data.sensor_fit, data.angle = "HORIZONTAL", math.radians(hfov)
        data.clip_end = 1000
        self.eye = bpy.data.objects.new("camera", data)
        way = float(self.rng.uniform(0, 2 * math.pi))
        slant = math.radians(askew)
        self.eye.location = (
            Vector((math.sin(slant) * math.cos(way), math.sin(slant) * math.sin(way), math.cos(slant))) * self.height
        )
        looks = (-self.eye.location).to_track_quat("-Z", "Y")
        roll = Euler((0, 0, float(self.rng.uniform(0, 2 * math.pi)))).to_quaternion()
        self.eye.rotation_mode = "QUATERNION"
        self.eye.rotation_quaternion = looks @ roll
        self.scene.collection.objects.link(self.eye)
        self.scene.camera = self.eye
        self.focal = focal
        bpy.context.view_layer.update()

    def light(self) -> None:
        """One to three lamps of a room, and what its walls throw back."""
        world = bpy.data.worlds.new("world")
        world.use_nodes = True
        ambient = float(self.rng.uniform(0.15, 0.9))
        warm = float(self.rng.uniform(-0.15, 0.2))
        tint = (1 + warm, 1.0, 1 - warm, 1)
        world.node_tree.nodes["Background"].inputs[0].default_value = tint
        world.node_tree.nodes["Background"].inputs[1].default_value = ambient
        self.scene.world = world
        for _ in range(int(self.rng.integers(1, 4))):
            data: Thing = bpy.data.lights.new("lamp", "AREA")
            data.size = float(self.rng.uniform(4, 60))
            where = self.rng.normal(0, 55, 2)
            high = float(self.rng.uniform(70, 160))
            lamp = bpy.data.objects.new("lamp", data)
            lamp.location = (float(where[0]), float(where[1]), high)
            lamp.rotation_mode = "QUATERNION"
            lamp.rotation_quaternion = (-lamp.location).to_track_quat("-Z", "Y")
            data.energy = float(self.rng.uniform(0.4, 1.5)) * 10 * (high**2 + float(where @ where))
            hue = float(self.rng.uniform(-0.12, 0.18))
            data.color = (1, 1 - 0.4 * abs(hue), 1 - max(0, hue) * 1.5)
            self.scene.collection.objects.link(lamp)

    # -- table -----------------------------------------------------------------------------------------------------

    def table(self) -> None:
        """The surface: cloth, wood, leather, plain plastic or a printed pattern; half the time walls round it."""
        self._plane(self._surface())
        shown = bool(self.rng.random() < 0.4)
        self._fence(self._material(tuple(self.rng.uniform(0.02, 0.5, 3)), roughness=0.5), shown=shown)

    def _plane(self, material: Thing) -> None:
        """The table itself; what of it the camera sees is the room for dice."""
        bpy.ops.mesh.primitive_plane_add(size=400)
        plane = bpy.context.object
        plane.data.materials.append(material)
        bpy.ops.rigidbody.object_add(type="PASSIVE")
        plane.rigid_body.friction, plane.rigid_body.restitution = 0.6, 0.3
        plane.rigid_body.collision_shape = "BOX"
        self.wide = self.size[0] / 2 / self.focal * self.height
        self.tall = self.size[1] / 2 / self.focal * self.height
        self.room = (self.wide * 0.86, self.tall * 0.84)

    def sideways(self) -> tuple[Vector, Vector]:
        """Where the picture's right points on the table, and a quarter turn further."""
        turn = self.eye.rotation_quaternion.to_matrix()
        right = Vector((turn[0][0], turn[1][0], 0)).normalized()
        return right, Vector((-right.y, right.x, 0))

    def _fence(self, material: Thing, *, shown: bool) -> None:
        """Walls round the room; those that are not shown hold the dice all the same."""
        right, along = self.sideways()
        wide, tall = self.wide, self.tall
        for axis, other, reach, length in ((right, along, wide * 0.9, tall), (along, right, tall * 0.88, wide)):
            for side in (-1, 1):
                bpy.ops.mesh.primitive_cube_add(size=1)
                wall = bpy.context.object
                wall.scale = (length * 2.4, 1.0, 60 if not shown else 3.0)
                frame = Matrix((other.to_tuple(), axis.to_tuple(), (0, 0, 1))).transposed()
                wall.rotation_mode = "QUATERNION"
                wall.rotation_quaternion = frame.to_quaternion()
                wall.location = axis * (reach + 0.5) * side + Vector((0, 0, wall.scale[2] / 2))
                wall.data.materials.append(material)
                bpy.ops.rigidbody.object_add(type="PASSIVE")
                wall.rigid_body.friction, wall.rigid_body.restitution = 0.3, 0.5
                wall.hide_render = not shown

    def _surface(self) -> Thing:
        sort = str(self.rng.choice(["cloth", "wood", "leather", "plastic", "printed"]))
        base = (
            self.rng.uniform(0.01, 0.55, 3)
            if sort != "wood"
            else np.array([0.25, 0.12, 0.05]) * self.rng.uniform(0.3, 2.5)
        )
        if self.rng.random() < 0.4:
            base = np.full(3, float(base.mean()))
        made = self._material(tuple(base), roughness=float(self.rng.uniform(0.25, 0.95)))
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader = nodes["Principled BSDF"]
        place = nodes.new("ShaderNodeTexCoord")
        texture = {
            "cloth": "ShaderNodeTexNoise",
            "wood": "ShaderNodeTexWave",
            "leather": "ShaderNodeTexVoronoi",
            "plastic": "ShaderNodeTexNoise",
            "printed": "ShaderNodeTexVoronoi",
        }[sort]
        node = nodes.new(texture)
        links.new(place.outputs["Object"], node.inputs["Vector"])
        scale = {"cloth": 14.0, "wood": 0.35, "leather": 3.0, "plastic": 0.15, "printed": 0.5}[sort]
        node.inputs["Scale"].default_value = scale * float(self.rng.uniform(0.5, 2))
        if sort == "wood":
            node.inputs["Distortion"].default_value = float(self.rng.uniform(2, 9))
            node.inputs["Detail"].default_value = 4
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        other = (
            np.clip(base * self.rng.uniform(0.55, 1.6), 0, 0.9) if sort != "printed" else self.rng.uniform(0.02, 0.7, 3)
        )
        mix.inputs[6].default_value = (*base, 1)
        mix.inputs[7].default_value = (*other, 1)
        links.new(node.outputs["Distance" if "Voronoi" in texture else "Fac"], mix.inputs[0])
        links.new(mix.outputs[2], shader.inputs["Base Color"])
        if sort in {"cloth", "leather"}:
            bump = nodes.new("ShaderNodeBump")
            bump.inputs["Strength"].default_value = 0.3
            bump.inputs["Distance"].default_value = 0.05
            links.new(node.outputs[0], bump.inputs["Height"])
            links.new(bump.outputs[0], shader.inputs["Normal"])
        return made

    def _material(self, colour: tuple[float, ...], *, roughness: float) -> Thing:
        made = bpy.data.materials.new("material")
        made.use_nodes = True
        shader = made.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = (*colour, 1)
        shader.inputs["Roughness"].default_value = roughness
        return made

    # -- dice ------------------------------------------------------------------------------------------------------

    def throw(self, dice: list[LetteredDie]) -> list[tuple[LetteredDie, Thing]]:
        """Let the dice fall and come to rest."""
        thrown = []
        for number, die in enumerate(dice):
            made = self._die(die)
            self._held(made, number, (self.room[0] * 0.525, self.room[1] * 0.525))
            thrown.append((die, made))
        self._settle()
        return thrown

    def _held(self, made: Thing, number: int, reach: tuple[float, float]) -> None:
        """A die in the air, turned anyhow, above so much of the table; each higher than the one before."""
        across, along = (float(self.rng.uniform(-1, 1)) * far for far in reach)
        turned = self.eye.rotation_quaternion.to_matrix() @ Vector((across, along, 0))
        made.location = (turned.x, turned.y, 3.0 + 3.0 * number)
        made.rotation_euler = tuple(self.rng.uniform(0, 2 * math.pi, 3))

    def _settle(self, frames: int = 160) -> None:
        rigid = self.scene.rigidbody_world
        rigid.substeps_per_frame, rigid.solver_iterations = 20, 30
        rigid.point_cache.frame_end = frames
        for frame in range(1, frames + 1):
            self.scene.frame_set(frame)

    def _die(self, die: LetteredDie) -> Thing:
        size = CIRCUMRADIUS[die.solid.name]
        image, cells = atlas(die.masks)
        made = self._body(die, size, cells)
        made.data.materials.append(self._plastic(image))
        bevel = made.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments = size * float(self.rng.uniform(0.02, 0.11)), 3
        return made

    def _body(self, die: LetteredDie, size: float, cells: Sequence[Cell], *, falls: bool = True) -> Thing:
        """A die of this circumradius in centimetres, without a material; each face shows its cell of the inks."""
        mesh = bpy.data.meshes.new("die")
        mesh.from_pydata((die.solid.vertices * size).tolist(), [], [list(face) for face in die.solid.faces])
        layer = mesh.uv_layers.new(name="ink")
        for polygon, cell in zip(mesh.polygons, cells, strict=True):
            corners = die.solid.vertices[list(die.solid.faces[polygon.index])]
            points = face_frame(die, polygon.index).in_mask(corners)
            for loop, point in zip(polygon.loop_indices, points, strict=True):
                layer.data[loop].uv = (cell[0] + point[0] * cell[2], cell[1] + point[1] * cell[3])
        made = bpy.data.objects.new("die", mesh)
        self.scene.collection.objects.link(made)
        if not falls:
            return made
        bpy.context.view_layer.objects.active = made
        made.select_set(state=True)
        bpy.ops.rigidbody.object_add(type="ACTIVE")
        body = made.rigid_body
        body.collision_shape, body.use_margin, body.collision_margin = "CONVEX_HULL", True, 0.0
        body.mesh_source = "BASE"
        body.mass, body.friction, body.restitution = 1.0, 0.55, 0.3
        made.select_set(state=False)
        return made

    def _plastic(self, image: Thing) -> Thing:
        body, ink = legible_colours(self.rng)
        made = self._material(tuple(body), roughness=float(self.rng.uniform(0.08, 0.6)))
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader = nodes["Principled BSDF"]
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.interpolation = image, "Cubic"
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        mix.inputs[6].default_value, mix.inputs[7].default_value = (*body, 1), (*ink, 1)
        links.new(texture.outputs["Color"], mix.inputs[0])
        if self.rng.random() < 0.35:  # marbled
            place, noise, swirl = (nodes.new(f"ShaderNode{name}") for name in ("TexCoord", "TexNoise", "Mix"))
            swirl.data_type = "RGBA"
            noise.inputs["Scale"].default_value = float(self.rng.uniform(0.8, 2.5))
            noise.inputs["Distortion"].default_value = float(self.rng.uniform(1, 4))
            links.new(place.outputs["Object"], noise.inputs["Vector"])
            swirl.inputs[6].default_value = (*body, 1)
            swirl.inputs[7].default_value = (*np.clip(body * self.rng.uniform(0.4, 1.9, 3), 0.01, 0.9), 1)
            links.new(noise.outputs["Fac"], swirl.inputs[0])
            links.new(swirl.outputs[2], mix.inputs[6])
        links.new(mix.outputs[2], shader.inputs["Base Color"])
        if self.rng.random() < 0.2:  # a clear die
            shader.inputs["Transmission Weight"].default_value = float(self.rng.uniform(0.2, 0.5))
        if self.rng.random() < 0.6:  # engraved
            bump = nodes.new("ShaderNodeBump")
            bump.invert = True
            bump.inputs["Strength"].default_value = float(self.rng.uniform(0.2, 0.7))
            bump.inputs["Distance"].default_value = 0.05
            links.new(texture.outputs["Color"], bump.inputs["Height"])
            links.new(bump.outputs[0], shader.inputs["Normal"])
        return made

    def litter(self, thrown: list[tuple[LetteredDie, Thing]]) -> None:
        """Things that are no dice, beside the dice: coins, a pencil, a card; fewer where there is no room."""
        for _ in range(int(self.rng.integers(1, 4))):
            way = str(self.rng.choice(list(_LITTER)))
            free = (self._spot() for _ in range(30))
            place = next((one for one in free if _is_free(one, _LITTER[way], thrown)), None)
            if place is None:
                continue
            if way == "coin":
                bpy.ops.mesh.primitive_cylinder_add(
                    radius=float(self.rng.uniform(0.8, 1.3)), depth=0.18, location=(*place, 0.09)
                )
                material = self._material((0.7, 0.5, 0.3), roughness=0.3)
                material.node_tree.nodes["Principled BSDF"].inputs["Metallic"].default_value = 1
            elif way == "pencil":
                bpy.ops.mesh.primitive_cylinder_add(vertices=6, radius=0.35, depth=15, location=(*place, 0.32))
                bpy.context.object.rotation_euler = (math.pi / 2, 0, float(self.rng.uniform(0, math.pi)))
                material = self._material(tuple(self.rng.uniform(0.02, 0.8, 3)), roughness=0.4)
            else:
                bpy.ops.mesh.primitive_cube_add(size=1, location=(*place, 0.02))
                bpy.context.object.scale = (6.3, 8.8, 0.03)
                bpy.context.object.rotation_euler = (0, 0, float(self.rng.uniform(0, math.pi)))
                material = self._material(tuple(self.rng.uniform(0.3, 0.85, 3)), roughness=0.5)
            bpy.context.object.data.materials.append(material)

    def _spot(self) -> tuple[float, float]:
        """A place on the table that the camera sees."""
        spot = (float(self.rng.uniform(-1, 1)) * self.room[0], float(self.rng.uniform(-1, 1)) * self.room[1])
        turned = self.eye.rotation_quaternion.to_matrix() @ Vector((*spot, 0))
        return (turned.x, turned.y)

    # -- picture and truth -----------------------------------------------------------------------------------------

    def rested(self, thrown: list[tuple[LetteredDie, Thing]]) -> list[Rested]:
        """Where the dice lie."""
        return [self._rested(die, made, CIRCUMRADIUS[die.solid.name]) for die, made in thrown]

    def _rested(self, die: LetteredDie, made: Thing, size: float) -> Rested:
        frame = np.array(made.matrix_world)
        turn = frame[:3, :3]
        heights = (die.solid.normals @ turn.T)[:, 2]
        face = int(np.argmax(heights)) if die.solid.name != "d4" else int(np.argmin(heights))
        corners = self._seen(die.solid.vertices * size @ turn.T + frame[:3, 3])
        centre = self._seen(frame[:3, 3][None])[0]
        depth = float(np.linalg.norm(np.array(self.eye.location) - frame[:3, 3]))
        return Rested(
            die,
            corners,
            (float(centre[0]), float(centre[1])),
            self.focal * size / depth,
            face,
            math.degrees(math.acos(min(1.0, abs(float(heights[face]))))),
            float(frame[2, 3]) / size - INRADIUS[die.solid.name],
            self._towards_camera() @ turn,
            self._towards_camera()[:, 2],
        )

    def _towards_camera(self) -> NDArray[np.float64]:
        """The rotation from the world to the camera's frame: x to the right, y down, z away from the camera."""
        back = np.array(self.eye.matrix_world.inverted())[:3, :3]
        result: NDArray[np.float64] = np.diag([1.0, -1.0, -1.0]) @ back
        return result

    def _seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """World points as pixels."""
        back = np.array(self.eye.matrix_world.inverted())
        local = points @ back[:3, :3].T + back[:3, 3]
        return np.column_stack(
            [
                self.size[0] / 2 - self.focal * local[:, 0] / local[:, 2],
                self.size[1] / 2 + self.focal * local[:, 1] / local[:, 2],
            ]
        )

    def picture(self, file: str) -> Picture:
        """The scene in linear light, height x width x 3 (red, green, blue); `file` is where it may be put meanwhile."""
        self.scene.render.filepath = file
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(file)
        width, height = image.size
        flat = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(flat)
        return np.ascontiguousarray(flat.reshape(height, width, 4)[::-1, :, :3])


def _is_free(spot: tuple[float, float], reach: float, thrown: list[tuple[LetteredDie, Thing]]) -> bool:
    """Whether no die lies within `reach` of the spot."""
    return all(math.dist(spot, made.matrix_world.translation[:2]) > reach + 1.5 for _, made in thrown)


def legible_colours(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Body and ink in linear light, apart by 90 or more of 255 grey levels."""
    weights = np.array([0.299, 0.587, 0.114])
    while True:
        body = rng.uniform(0.02, 0.95, 3)
        ink = np.full(3, float(rng.choice([0.04, 0.93]))) if rng.random() < 0.7 else rng.uniform(0.02, 0.95, 3)
        if abs(float(body @ weights - ink @ weights)) > 0.36:
            return body**2.2, ink**2.2


def atlas(*layers: Sequence[Mask]) -> tuple[Thing, list[Cell]]:
    """The masks of a die as one image, and the place of each.

    One layer of them is in all colours of it; of two, the first is in red and the second in green.
    """
    sheets, cells = zip(*(_sheet(masks) for masks in layers), strict=True)
    planes = np.stack([sheets[min(n, len(sheets) - 1)] for n in range(4)], axis=2)
    height, width = planes.shape[:2]
    image = bpy.data.images.new("ink", width, height, float_buffer=False)
    image.colorspace_settings.name = "Non-Color"
    if len(layers) > 1:
        image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(planes.ravel())
    image.update()
    return image, cells[0]


def _sheet(masks: Sequence[Mask]) -> tuple[Picture, list[Cell]]:
    columns = math.ceil(math.sqrt(len(masks)))
    rows = math.ceil(len(masks) / columns)
    side = len(masks[0])
    sheet = np.zeros((rows * side, columns * side), np.float32)
    cells = []
    for number, mask in enumerate(masks):
        row, column = divmod(number, columns)
        sheet[row * side : (row + 1) * side, column * side : (column + 1) * side] = mask[::-1] / 255.0
        cells.append((column / columns, row / rows, 1 / columns, 1 / rows))
    return sheet, cells
