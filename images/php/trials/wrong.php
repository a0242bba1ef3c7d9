<?php
echo "Good bye!\n";
