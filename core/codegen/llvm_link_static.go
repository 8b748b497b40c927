//go:build qd_static && !qd_llvm19 && !qd_llvm20 && !qd_llvm21

package codegen

// The libraries are what "llvm-config-22 --link-static --libs x86codegen nvptxcodegen orcjit passes bitwriter" lists.

// #cgo CXXFLAGS: -I/usr/lib/llvm-22/include
// #cgo LDFLAGS: -L/usr/lib/llvm-22/lib -Wl,--start-group
// #cgo LDFLAGS: -lLLVMOrcJIT -lLLVMPasses -lLLVMHipStdPar -lLLVMCoroutines -lLLVMipo -lLLVMVectorize
// #cgo LDFLAGS: -lLLVMSandboxIR -lLLVMLinker -lLLVMFrontendOpenMP -lLLVMFrontendDirective -lLLVMFrontendAtomic
// #cgo LDFLAGS: -lLLVMFrontendOffloading -lLLVMObjectYAML -lLLVMWindowsDriver -lLLVMJITLink -lLLVMOption
// #cgo LDFLAGS: -lLLVMExecutionEngine -lLLVMRuntimeDyld -lLLVMOrcTargetProcess -lLLVMOrcShared -lLLVMX86CodeGen
// #cgo LDFLAGS: -lLLVMNVPTXCodeGen -lLLVMNVPTXDesc -lLLVMNVPTXInfo
// #cgo LDFLAGS: -lLLVMX86Desc -lLLVMX86Info -lLLVMMCDisassembler -lLLVMInstrumentation -lLLVMIRPrinter
// #cgo LDFLAGS: -lLLVMGlobalISel -lLLVMSelectionDAG -lLLVMCFGuard -lLLVMAsmPrinter -lLLVMCodeGen -lLLVMTarget
// #cgo LDFLAGS: -lLLVMScalarOpts -lLLVMInstCombine -lLLVMAggressiveInstCombine -lLLVMObjCARCOpts
// #cgo LDFLAGS: -lLLVMTransformUtils -lLLVMCodeGenTypes -lLLVMCGData -lLLVMBitWriter -lLLVMAnalysis
// #cgo LDFLAGS: -lLLVMProfileData -lLLVMSymbolize -lLLVMDebugInfoBTF -lLLVMDebugInfoPDB -lLLVMDebugInfoMSF
// #cgo LDFLAGS: -lLLVMDebugInfoCodeView -lLLVMDebugInfoGSYM -lLLVMDebugInfoDWARF -lLLVMObject -lLLVMTextAPI
// #cgo LDFLAGS: -lLLVMMCParser -lLLVMIRReader -lLLVMAsmParser -lLLVMMC -lLLVMDebugInfoDWARFLowLevel -lLLVMBitReader
// #cgo LDFLAGS: -lLLVMFrontendHLSL -lLLVMCore -lLLVMRemarks -lLLVMBitstreamReader -lLLVMBinaryFormat
// #cgo LDFLAGS: -lLLVMTargetParser -lLLVMSupport -lLLVMDemangle
// #cgo LDFLAGS: -Wl,--end-group -l:libz.a -l:libzstd.a -lrt -ldl
import "C"
