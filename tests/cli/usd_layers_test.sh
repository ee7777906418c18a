#!/usr/bin/env bash
# USD text with the structure of files of Blender and Houdini: curves, meshes, cameras, transforms.
source "$(dirname -- "$0")/cli.sh"

# vertices FILE OPTIONS...: positions of strands, rounded.
vertices() {
    expect 0 convert "$1" vertices.obj "${@:2}" &&
        awk '$1 == "v" { printf "%.4g,%.4g,%.4g ", $2 + 0, $3 + 0, $4 + 0 }' vertices.obj | sed 's/-0,/0,/g; s/-0 /0 /g; s/ $//'
}
is() {
    [ "$1" = "$2" ] || failed "$3: '$1', expected '$2'"
}

# Blender since 4.1: a generated root, transforms as three operations, hair curves as pinned splines
# with a width per point and their root coordinates, particle hair as B-splines, time codes of frames.
cat >blender.usda <<'END'
#usda 1.0
(
    defaultPrim = "root"
    doc = "Blender v5.2.2 LTS"
    endTimeCode = 3
    metersPerUnit = 1
    startTimeCode = 1
    timeCodesPerSecond = 24
    upAxis = "Z"
)

def Xform "root" (
    customData = {
        dictionary Blender = {
            bool generated = 1
        }
    }
)
{
    def Xform "Head"
    {
        custom string userProperties:blender:object_name = "Head"
        float3 xformOp:rotateXYZ = (0, -0, 90)
        float3 xformOp:scale = (2, 2, 2)
        double3 xformOp:translate = (1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]

        def Mesh "Head_001" (
            active = true
            prepend apiSchemas = ["MaterialBindingAPI"]
        )
        {
            uniform bool doubleSided = 1
            float3[] extent = [(-1, -1, 0), (1, 1, 0)]
            int[] faceVertexCounts = [4]
            int[] faceVertexIndices = [0, 1, 3, 2]
            rel material:binding = </root/_materials/Skin>
            normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (
                interpolation = "faceVarying"
            )
            point3f[] points.timeSamples = {
                1: [(-1, -1, 0), (1, -1, 0), (-1, 1, 0), (1, 1, 0)],
                3: [(-1, -1, 1), (1, -1, 1), (-1, 1, 1), (1, 1, 1)],
            }
            bool[] primvars:sharp_face = [1] (
                interpolation = "uniform"
            )
            texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
                interpolation = "faceVarying"
            )
            uniform token subdivisionScheme = "none"
            custom string userProperties:blender:data_name = "Head.001"

            def GeomSubset "Skin" (
                prepend apiSchemas = ["MaterialBindingAPI"]
            )
            {
                uniform token elementType = "face"
                uniform token familyName = "materialBind"
                int[] indices = [0]
                rel material:binding = </root/_materials/Skin>
            }
        }

        def BasisCurves "Fur"
        {
            int[] curveVertexCounts = [5]
            uniform token basis = "bspline"
            point3f[] points = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 0, 4)]
            color3f[] primvars:displayColor = [(0.8, 0.8, 0.8)]
            uniform token type = "cubic"
            float[] widths = [0.02, 0.02, 0.02, 0.02, 0.01]
            uniform token wrap = "nonperiodic"
        }
    }

    def Xform "Curves"
    {
        matrix4d xformOp:transform.timeSamples = {
            1: ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ),
            3: ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (4, 0, 0, 1) ),
        }
        uniform token[] xformOpOrder = ["xformOp:transform"]

        def BasisCurves "Curves"
        {
            uniform token basis = "catmullRom"
            int[] curveVertexCounts = [3, 2]
            float3[] extent = [(0, 0, 0), (1, 1, 2)]
            point3f[] points = [(0, 0, 0), (0, 0, 1), (0, 1, 2), (1, 0, 0), (1, 0, 1)]
            float2[] primvars:surface_uv_coordinate = [(0.25, 0.5), (0.75, 0.5)] (
                interpolation = "uniform"
            )
            uniform token type = "cubic"
            float[] widths = [0.004, 0.003, 0.001, 0.004, 0.002] (
                interpolation = "vertex"
            )
            uniform token wrap = "pinned"
        }
    }

    def Xform "Camera"
    {
        float3 xformOp:rotateXYZ.timeSamples = {
            1: (90, 0, 0),
            3: (90, 0, 180),
        }
        double3 xformOp:translate = (0, -4, 0)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]

        def Camera "Camera"
        {
            float2 clippingRange = (0.1, 100)
            float focalLength = 0.5
            float horizontalAperture = 0.36
            float horizontalApertureOffset = 0
            token projection = "perspective"
            float verticalAperture = 0.2025
        }
    }

    def DomeLight "env_light"
    {
        float inputs:intensity = 1
        asset inputs:texture:file = @./textures/color_121212.exr@
    }

    def Scope "_materials"
    {
        def Material "Skin"
        {
            token outputs:surface.connect = </root/_materials/Skin/Principled_BSDF.outputs:surface>

            def Shader "Principled_BSDF"
            {
                uniform token info:id = "UsdPreviewSurface"
                float inputs:roughness = 0.5
                token outputs:surface
            }
        }
    }
}
END
expect 0 info blender.usda && prints "Blender v5.2.2" && prints "up_axis               z"
for object in "/root/Head/Head_001 +mesh +false +2" "/root/Head/Fur +curves +false +1" \
    "/root/Curves/Curves +curves +false +2" "/root/Camera/Camera +camera +false +2"; do
    grep -qE "$object" printed || failed "no $object: $(cat printed)"
done
# z up to y up: (x, y, z) becomes (x, z, -y). The fur begins on the skin.
is "$(vertices blender.usda --object Fur)" "1,0,0 1,2,0 1,4,0 1,6,0 1,8,0" "particle hair"
is "$(vertices blender.usda --object Curves --frame 1)" "0,0,0 0,1,0 0,2,-1 1,0,0 1,1,0" "hair curves"
is "$(vertices blender.usda --object Curves --frame 2)" "2,0,0 2,1,0 2,2,-1 3,0,0 3,1,0" "hair curves between samples"
expect 0 convert blender.usda curves.ply --object Curves && expect 0 info curves.ply && prints "max_radius            0.002"
expect 0 convert blender.usda curves.usda --object Curves --frame 1 && grep -q 'primvars:st = \[(0.25, 0.5), (0.75, 0.5)\]' curves.usda ||
    failed "root coordinates of hair curves: $(grep st curves.usda)"
cat >blender.json <<'END'
{"coif": 1, "bodies": [{"name": "head", "mesh": "blender.usda", "object": "Head"}],
 "grooms": [{"name": "hair", "body": "head", "group": "Skin", "count": 20}],
 "sim": {"last_frame": 3}, "camera": {"file": "blender.usda"}}
END
expect 0 sim blender.json --out head --set sim/enabled=false
expect 0 export blender.json scene.usda --cache head --frames 1-3 --with-body --with-camera
is "$(grep -A1 'point3f\[\] points.timeSamples' scene.usda | grep -c '1: \[(3, 0, 2)')" 1 "the turned and scaled mesh"
awk '/focalLength/ { f = $4 } /horizontalAperture =/ { a = $4 } END { exit !(f > 0.4999 && f < 0.5001 && a > 0.3599 && a < 0.3601) }' scene.usda ||
    failed "the lens of the camera: $(grep -E 'focalLength|Aperture' scene.usda)"

# Houdini: a layer of /HoudiniLayerInfo beside the scene, matrices with a suffix, inverted pivots,
# linear curves and curves of two points, guides by purpose, samples of points, an "over", a variant set.
cat >houdini.usda <<'END'
#usda 1.0
(
    "Saved by a render node"
    customLayerData = {
        dictionary renderSettings = {
            token quality = "high"
        }
    }
    defaultPrim = "groom"
    endTimeCode = 48
    framesPerSecond = 24
    metersPerUnit = 0.01
    startTimeCode = 1
    timeCodesPerSecond = 24
    upAxis = "Y"
)

def HoudiniLayerInfo "HoudiniLayerInfo" (
    customData = {
        string HoudiniCreatorNode = "/stage/out"
        string[] HoudiniEditorNodes = ["/stage/out", "/stage/in"]
    }
)
{
}

def Xform "groom" (
    kind = "component"
    prepend variantSets = "lod"
    variants = {
        string lod = "high"
    }
)
{
    matrix4d xformOp:transform:place = ( (0, 0, 1, 0), (0, 1, 0, 0), (-1, 0, 0, 0), (100, 0, 0, 1) )
    float3 xformOp:translate:pivot = (0, 10, 0)
    uniform token[] xformOpOrder = ["xformOp:transform:place", "xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]

    def BasisCurves "hair" (
        prepend apiSchemas = ["MaterialBindingAPI"]
    )
    {
        int[] curveVertexCounts = [3, 2] (
            customData = {
                bool dataIsTopology = 1
            }
        )
        float3[] extent.timeSamples = {
            1: [(0, 0, 0), (100, 200, 0)],
        }
        point3f[] points.timeSamples = {
            1: [(0, 0, 0), (0, 100, 0), (0, 200, 0), (100, 0, 0), (100, 100, 0)],
            2: [(0, 0, 0), (0, 100, 0), (100, 200, 0), (100, 0, 0), (100, 100, 0)],
        }
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] (
            interpolation = "uniform"
        )
        int[] primvars:guideindex = [0, 0] (
            interpolation = "uniform"
        )
        uniform token type = "linear"
        vector3f[] velocities.timeSamples = {
            1: [(0, 0, 0), (0, 0, 0), (2400, 0, 0), (0, 0, 0), (0, 0, 0)],
        }
        float[] widths = [0.5] (
            interpolation = "constant"
        )
        uniform token wrap = "nonperiodic"
    }

    def BasisCurves "guides"
    {
        uniform token basis = "catmullRom"
        int[] curveVertexCounts = [2, 2]
        point3f[] points = [(0, 0, 0), (0, 100, 0), (100, 0, 0), (100, 100, 0)]
        color3f[] primvars:displayColor = [(0, 0, 0), (1, 1, 1), (0, 0, 0), (1, 1, 1)] (
            interpolation = "varying"
        )
        uniform token purpose = "guide"
        uniform token type = "cubic"
        float[] widths = [0.2, 0.1, 0.2, 0.1]
    }

    variantSet "lod" = {
        "high" {
            over "hair"
            {
                bool doubleSided = 1
            }
        }
        "low" (
            active = false
        ) {
        }
    }
}

over "groom_other"
{
    float radius = 2
}
END
expect 0 info houdini.usda
grep -qE '/groom/hair +curves +false +2' printed && grep -qE '/groom/guides +curves +true +1' printed || failed "objects: $(cat printed)"
is "$(vertices houdini.usda)" "1,0,0 1,1,0 1,2,0 1,0,1 1,1,1" "linear curves of frame 1"
is "$(vertices houdini.usda --frame 2 --object hair)" "1,0,0 1,1,0 1,2,1 1,0,1 1,1,1" "frame 2"
is "$(vertices houdini.usda --guides-only)" "1,0,0 1,1,0 1,0,1 1,1,1" "cubic curves of two points"
expect 0 convert houdini.usda hair.usda --object hair
grep -q '(0, 0, 24)' hair.usda || failed "velocities are not turned: $(grep velocities hair.usda)"

# A text of 100 MB needs the memory of a few samples.
python3 - >large.usda <<'END'
print('#usda 1.0\n(\n metersPerUnit = 1\n)\ndef Mesh "m" {\n int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]')
print(" point3f[] points.timeSamples = {")
for frame in range(100):
    print("%d: [%s]," % (frame, ", ".join(["(0.1234567, 0.2345678, %d.5)" % frame] * 36000)))
print(" }\n}")
END
python3 - "$coif" <<'END' || failed "memory of a large text"
import os, resource, subprocess, sys
subprocess.run([sys.argv[1], "info", "large.usda"], check=True, capture_output=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
size = os.path.getsize("large.usda") / 1e6
print("%.0f MB for %.0f MB" % (peak, size))
sys.exit(size < 90 or peak > 0.6 * size)
END
finish
