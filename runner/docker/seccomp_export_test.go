package docker

// SeccompProfile is seccompProfile.
func SeccompProfile() (string, error) { return seccompProfile() }
