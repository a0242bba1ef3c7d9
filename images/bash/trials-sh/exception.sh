: "${unset:?on purpose}"
