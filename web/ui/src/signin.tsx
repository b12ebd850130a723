import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";
import "./styles/signin.css";

import { chooseLanguage, start } from "./shared/shell";
import { SignInScreen } from "./signin/screen";

chooseLanguage();
start(<SignInScreen />);
