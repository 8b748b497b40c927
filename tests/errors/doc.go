// Package kernels holds kernels that Go accepts and the kernel language does not, and their neighbours that it does. Functions
// named Bad…, Warns… and Good… are kernels; a line that must be reported carries `// ERROR "regexp"`, and no other line may be.
// Of a kernel named Warns… only warnings are reported.
// TestErrors in qd/internal/frontend checks both.
package kernels
