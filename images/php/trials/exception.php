<?php
throw new InvalidArgumentException("thrown on purpose");
