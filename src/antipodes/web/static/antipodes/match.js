// The match page; its parts are in match/.

import "./match/page.js";
