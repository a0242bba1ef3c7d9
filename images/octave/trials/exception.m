error("on purpose");
