console.log("Good bye!");
