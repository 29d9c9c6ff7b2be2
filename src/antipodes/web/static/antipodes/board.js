// The board element, `<antipodes-board>`; its parts are in board/.

import "./board/element.js";
