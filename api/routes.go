package api

// routes makes all routes.
func (s *Server) routes() {
	s.tokenRoutes()
}
