/**
 * Denies ffmpeg the network and the memory of other processes, with a seccomp filter that it cannot remove. An
 * unprivileged process may install one, also in a container without capabilities. It protects against bugs of decoders;
 * what ffmpeg is asked to open is limited in `limits.ts`.
 */
import { findOnPath, isIsolationRequired } from './binary.ts'

interface Architecture {
  /** AUDIT_ARCH_* of linux/audit.h. */
  audit: number
  prctl: number
  seccomp: number
  /** socket, ptrace, process_vm_readv, process_vm_writev, io_uring_setup (which can open sockets), pidfd_getfd. */
  denied: readonly number[]
}

/** System call numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux. */
const architectures: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: { audit: 0xc000003e, prctl: 157, seccomp: 317, denied: [41, 101, 310, 311, 425, 438] },
  arm64: { audit: 0xc00000b7, prctl: 167, seccomp: 277, denied: [198, 117, 270, 271, 425, 438] },
}

/** Calls with this bit use the x32 ABI, whose numbers differ. */
const x32Bit = 0x40000000
const [loadWord, jumpIfEqual, jumpIfAtLeast, give] = [0x20, 0x15, 0x35, 0x06]
const [allow, refuse] = [0x7fff0000, 0x00050001]

/** The filter as BPF instructions. A refused call fails with EPERM; so does every call of another architecture. */
export function filterOf({ audit, denied }: Architecture): Buffer {
  const refusalAt = denied.length + 5
  const toRefusal = (at: number) => refusalAt - at - 1
  const instructions = [
    [loadWord, 0, 0, 4],
    [jumpIfEqual, 0, toRefusal(1), audit],
    [loadWord, 0, 0, 0],
    [jumpIfAtLeast, toRefusal(3), 0, x32Bit],
    ...denied.map((call, index) => [jumpIfEqual, toRefusal(4 + index), 0, call]),
    [give, 0, 0, allow],
    [give, 0, 0, refuse],
  ]
  const bytes = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code = 0, ifTrue = 0, ifFalse = 0, value = 0], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  })
  return bytes
}

/**
 * Installs the filter and replaces itself by the command. Node can make no system calls of its own; Perl can, and is
 * part of every Debian. 38 is PR_SET_NO_NEW_PRIVS; 1 is SECCOMP_SET_MODE_FILTER; 4 is SECCOMP_FILTER_FLAG_SPEC_ALLOW,
 * without which older kernels would slow the encoder down. 126 means that the command could not be executed.
 */
const launcher = `
  my ($prctl, $seccomp, $required, $filter) = splice @ARGV, 0, 4;
  my $instructions = pack 'H*', $filter;
  my $program = pack 'S x6 P', length($instructions) / 8, $instructions;
  my $isInstalled = syscall(0 + $prctl, 38, 1, 0, 0, 0) == 0 && syscall(0 + $seccomp, 1, 4, $program) == 0;
  if ($required && !$isInstalled) { print STDERR "ffmpeg cannot be isolated: $!\\n"; exit 126 }
  exec { $ARGV[0] } @ARGV;
  exit 127`

/**
 * Wraps a command (Linux on x64 and arm64, with Perl); otherwise unchanged. With FFMPEG_ISOLATION=required, as in the
 * image of the container, the command does not run without the filter.
 */
export function withoutNetwork(command: string[], environment?: NodeJS.ProcessEnv): string[] {
  const isRequired = isIsolationRequired(environment)
  const perl = findOnPath('perl', environment)
  const architecture = process.platform === 'linux' ? architectures[process.arch] : undefined
  if (!perl || !architecture) {
    if (isRequired) throw new Error('FFMPEG_ISOLATION is `required`, which needs Linux on x64 or arm64, and Perl.')
    return command
  }
  const { prctl, seccomp } = architecture
  const filter = filterOf(architecture).toString('hex')
  return [perl, '-e', launcher, '--', `${prctl}`, `${seccomp}`, isRequired ? '1' : '', filter, ...command]
}
