// Rules for the site's JavaScript; `make lint` checks them. Types are checked by TypeScript.

import js from "@eslint/js";
import globals from "globals";

const SITE = "src/antipodes/web/static/antipodes";

export default [
  { ignores: ["**/languages/", "build/", "docs/_build/", ".venv/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-implicit-globals": "error",
      "no-promise-executor-return": ["error", { allowVoid: true }],
      "no-self-compare": "error",
      "no-shadow": ["error", { hoist: "functions" }],
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  {
    files: [`${SITE}/**/*.js`],
    languageOptions: { globals: globals.browser },
    // A forgotten variable may be called like a property of `window`, and would go unnoticed.
    rules: {
      "no-alert": "error",
      "no-eval": "error",
      "no-console": "error",
      "no-restricted-globals": ["error", "event", "name", "status", "length", "top", "parent"],
    },
  },
  {
    files: [`${SITE}/site/service_worker.js`],
    languageOptions: { globals: globals.serviceworker },
  },
  {
    files: ["bench/**", "eslint.config.js", "tests/javascript/**", "tests/compiler/**"],
    languageOptions: { globals: { ...globals.node, WebAssembly: "readonly" } },
  },
];
