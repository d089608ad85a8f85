# Reads copies of traces with VTK's own reader. The argument is a file with the paths of the traces, one in each line.
# The copy of the trace in line N is N.vtkhdf, in the folder of this file. Prints for each trace the number of steps,
# and the first and the last time. Prints for the first and the last step the number of points, the bounding box, and
# the numbers of cells of each type and of each object. Ends with code 1 if a trace cannot be read, or if one of these
# two steps has no points or does not have one velocity for each point.
import os
import sys
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow, vtkVersion
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
from vtkmodules.vtkIOHDF import vtkHDFReader

names = {5: "triangles", 10: "tetrahedra"}
objects = ["surface", "inside", "ground", "plate", "obstacles"]
messages = vtkStringOutputWindow()
vtkOutputWindow.SetInstance(messages)
said = ""
failed = False


def count(values):
    return {value: values.count(value) for value in sorted(set(values))}


print("VTK", vtkVersion.GetVTKVersion())
for number, path in enumerate(open(sys.argv[1]).read().splitlines(), 1):
    reader = vtkHDFReader()
    reader.SetFileName("%s/%d.vtkhdf" % (os.path.dirname(sys.argv[1]), number))
    reader.UpdateInformation()
    key = pipeline.TIME_STEPS()
    information = reader.GetOutputInformation(0)
    times = [information.Get(key, i) for i in range(information.Length(key))] if information.Has(key) else []
    steps = []
    for time in times[:1] + times[-1:]:
        reader.UpdateTimeStep(time)
        grid = reader.GetOutput()
        types = count([grid.GetCellType(c) for c in range(grid.GetNumberOfCells())])
        array = grid.GetCellData().GetArray("object")
        kinds = count([int(array.GetValue(c)) for c in range(grid.GetNumberOfCells())]) if array else {}
        steps.append("%d points in %s m, %s; %s" % (
            grid.GetNumberOfPoints(), " ".join("%.6g" % b for b in grid.GetBounds()),
            ", ".join("%d %s" % (n, names.get(t, t)) for t, n in types.items()),
            ", ".join("%d of %s" % (n, objects[k]) for k, n in kinds.items())))
        velocity = grid.GetPointData().GetArray("velocity")
        if grid.GetNumberOfPoints() == 0 or not velocity or velocity.GetNumberOfTuples() != grid.GetNumberOfPoints():
            steps.append("no points, or no velocities")
            failed = True
    error = messages.GetOutput()[len(said):].strip()
    said = messages.GetOutput()
    failed = failed or not times or bool(error)
    print("%s: %d steps%s%s" % (path, len(times), ", %g s to %g s" % (times[0], times[-1]) if times else "",
                                ": " + error if error else ""))
    for step in steps:
        print("   ", step)
sys.exit(1 if failed else 0)
