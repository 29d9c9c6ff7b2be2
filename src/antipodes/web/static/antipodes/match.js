// The element of the match page; its parts are in match/.

import "./match/page.js";
