(throw (ex-info "on purpose" {}))
