package api

// routes makes all routes.
func (s *Server) routes() error {
	s.healthRoutes()
	s.tokenRoutes()
	s.auditRoutes()
	s.submissionRoutes()
	s.judgementRoutes()
	s.rejudgingRoutes()
	s.streamRoutes()
	s.boardRoutes()
	s.problemRoutes()
	s.contestRoutes()
	s.languageRoutes()
	s.workerRoutes()
	s.statisticsRoutes()
	s.metricsRoutes()
	s.webhookRoutes()
	s.exportRoutes()
	s.importRoutes()
	if err := s.docsRoutes(); err != nil {
		return err
	}
	return s.openapiRoutes() // last: it shows what is there
}
