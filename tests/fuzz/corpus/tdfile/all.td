// A model.
def SomeModel : SchedMachineModel { let IssueWidth = 4; }
let SchedModel = SomeModel in {
def P0 : ProcResource<2>; // "not a string
multiclass WriteResPair<X86FoldableSchedWrite SchedRW, list<ProcResourceKind> ExePorts,
                        int Lat, list<int> Res = [1], int UOps = 1> {
  def : WriteRes<SchedRW, ExePorts> { let Latency = Lat; }
}
defm : WriteResPair<WriteIMul64Reg, [P0], 3, [1], /*UOps=*/1>; // comment
def : WriteRes<WriteShift, [P0]> { let Latency = 1; let ReleaseAtCycles = [2]; }
def Slow : SchedWriteRes<[P0]> {
  let Latency = 4;
  let NumMicroOps = 2;
}
def : InstRW<[Slow, ReadAfterLd], (instrs ADD64rr,
                                   SUB64rr)>;
def : InstRW<[Slow], (instregex "^ADD(32|64)rr$", "A[BC]{1,2}")>;
}
