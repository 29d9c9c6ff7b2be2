// The board element, `<antipodes-board>`; its parts are in the folder beside it.

import "./board/element.js";
