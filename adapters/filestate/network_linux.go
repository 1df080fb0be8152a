package filestate

import "syscall"

// networkFilesystem names the file system of a directory where it is one of
// those whose locks and syncs depend on somebody else.
func networkFilesystem(dir string) (name string, remote bool, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "", false, err
	}
	name, remote = remoteTypes()[uint32(s.Type)] //nolint:gosec // the magic numbers have 32 bits
	return name, remote, nil
}

// remoteTypes are the magic numbers of statfs(2).
func remoteTypes() map[uint32]string {
	return map[uint32]string{
		0x6969:     "NFS",
		0x517B:     "SMB",
		0xFF534D42: "CIFS",
		0xFE534D42: "SMB2",
		0x65735546: "FUSE",
		0x01021997: "9P",
		0x5346414F: "AFS",
		0x6B414653: "AFS",
		0x73757245: "Coda",
		0x00C36400: "Ceph",
		0x7461636F: "OCFS2",
		0x01161970: "GFS2",
		0x0BD00BD0: "Lustre",
		0x47504653: "GPFS",
		0x786F4256: "VirtualBox shared folder",
		0xBACBACBC: "VMware shared folder",
	}
}
