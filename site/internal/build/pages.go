package build

func (s *Site) pages([]Example) error { return nil }
