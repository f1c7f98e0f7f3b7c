package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"nl2sql/llm/fetch"
)

// crossDebs are Debian's compiler for arm64 and what it links. Its programs run from any folder.
var crossDebs = []deb{
	{"cpp-12-aarch64-linux-gnu", "12.2.0-14cross1", 9_149_684,
		"5921df4ad56e34e6257a1caf862474845aab6548ba7ae7852e8cdd7cb622394e", ""},
	{"gcc-12-aarch64-linux-gnu", "12.2.0-14cross1", 18_035_900,
		"43747bbcd46a4062e66e855090b8ed9c2e06a93ae5a69fb304beebbc8c36d11f", ""},
	{"g++-12-aarch64-linux-gnu", "12.2.0-14cross1", 10_080_720,
		"3693e31fe2b42fcbdd92fef3e5578e91dd86af30e3d2c5fff3f9821e34a1cb91", ""},
	{"binutils-aarch64-linux-gnu", "2.40-2", 3_352_924,
		"3d6f64a7a4ed6d73719f8fa2e85fd896f58ff7f211a6683942ba93de690aaa66", ""},
	{"libc6-arm64-cross", "2.36-8cross1", 1_004_648, "91936cbbee75771c360ed16513f6e734a25ca5517fe7c3e13dfd7835d7553186",
		""},
	{"libc6-dev-arm64-cross", "2.36-8cross1", 1_423_640,
		"5e4cf6abf0e89e89c4b3006bb8b7dc47aa831df25d94df9134929b8b968cacb4", ""},
	{"linux-libc-dev-arm64-cross", "6.1.4-1cross1", 1_815_380,
		"66457f015d16b7d372db6591cff38db0da928362ff2ea1fa75491e28f6904d81", ""},
	{"libgcc-12-dev-arm64-cross", "12.2.0-14cross1", 961_328,
		"ff1324e262bae2c3aad685c2ed52bd531ab0a2a337a0fe35c3b720947d55b2ba", ""},
	{"libgcc-s1-arm64-cross", "12.2.0-14cross1", 34_832,
		"af1e686fc6a416228222e7bfb68317dd2fa2685236301ae29141fc6108a66cac", ""},
	{"libstdc++-12-dev-arm64-cross", "12.2.0-14cross1", 1_975_364,
		"942b5710c6b9792578dfa64f7a4633bc0d3cb205b56ded11297e240ff824f5da", ""},
	{"libstdc++6-arm64-cross", "12.2.0-14cross1", 513_672,
		"9cba984b64d0cf11698978fc5e0fe93c7441d29b9f42f70f1c6c734cc9e2ea41", ""},
	{"gcc-12-cross-base", "12.2.0-14cross1", 33_232, "8dcb9dc293df9069f09dbe68d73f4a8ec2d4e3da4dcfbfe14a821d94e257e9d5",
		""},
}

const crossPrefix = "aarch64-linux-gnu-"

// crossWrapper runs a compiler of the folder that it lies in, with the headers and libraries of that folder.
const crossWrapper = `#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu exec "$root/usr/bin/` + crossPrefix + `%s-12" --sysroot="$root" "$@"
`

// crossCompilers returns the C and C++ compilers for another GOARCH than ours: those on PATH, or else Debian's,
// fetched once.
func crossCompilers(ctx context.Context, c cache, arch string) (cc, cxx string, err error) {
	if arch != "arm64" {
		return "", "", fmt.Errorf("there is no compiler for %s to fetch: build on such a machine", arch)
	}
	cc, ccErr := exec.LookPath(crossPrefix + "gcc")
	cxx, cxxErr := exec.LookPath(crossPrefix + "g++")
	if ccErr == nil && cxxErr == nil {
		return cc, cxx, nil
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return "", "", errors.New("no compiler for arm64: install g++-aarch64-linux-gnu")
	}
	pin := sha256.New()
	var all int64
	for _, d := range crossDebs {
		io.WriteString(pin, d.sha256)
		all += d.bytes
	}
	cxx, err = c.server(ctx, "cross-arm64", "bin/g++", hex.EncodeToString(pin.Sum(nil)), func(dir string) error {
		say("cross-arm64: no "+crossPrefix+"g++ here: getting Debian's, %s, with apt-get", fetch.Size(all))
		return unpackCross(ctx, dir, filepath.Join(dir, "server"))
	})
	return filepath.Join(filepath.Dir(cxx), "gcc"), cxx, err
}

func unpackCross(ctx context.Context, dir, into string) error {
	a := &apt{dir: dir}
	for _, d := range crossDebs {
		if err := a.unpack(ctx, d, into); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(into, "bin"), 0o755); err != nil {
		return err
	}
	for _, tool := range []string{"gcc", "g++"} {
		if err := os.WriteFile(filepath.Join(into, "bin", tool), fmt.Appendf(nil, crossWrapper, tool),
			0o755); err != nil {
			return err
		}
	}
	// It needs libraries that gcc itself needs here.
	for _, program := range []string{"usr/lib/gcc-cross/aarch64-linux-gnu/12/cc1plus", "usr/bin/" + crossPrefix + "ld",
		"usr/bin/" + crossPrefix + "as"} {
		missing, err := missingLibraries(ctx, filepath.Join(into, program),
			filepath.Join(into, "usr/lib/x86_64-linux-gnu"))
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return fmt.Errorf("%s needs %s, which this system lacks: apt-get install g++-aarch64-linux-gnu",
				filepath.Base(program), missing[0])
		}
	}
	return nil
}
