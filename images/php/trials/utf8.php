<?php
echo "ñandú: ", fgets(STDIN);
