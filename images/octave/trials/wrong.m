disp("Good bye!");
