package api

// routes makes all routes.
func (s *Server) routes() error {
	s.healthRoutes()
	s.tokenRoutes()
	s.auditRoutes()
	s.submissionRoutes()
	s.judgementRoutes()
	s.metricsRoutes()
	if err := s.docsRoutes(); err != nil {
		return err
	}
	return s.openapiRoutes() // last: it shows what is there
}
