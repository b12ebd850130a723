import { defineConfig } from "vite";

/**
 * One build for all faces. The server reads `static/.vite/manifest.json` and links the files of the
 * entry that a page needs. The target is the browser inside OBS 30 (FACES.md 13), the oldest engine
 * that has to draw any of it.
 */
export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/" : "/",
  build: {
    outDir: "../static",
    emptyOutDir: true,
    manifest: true,
    target: "chrome103",
    cssTarget: "chrome103",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["src/signin.tsx", "src/dealer.tsx", "src/supervisor.tsx", "src/overlay.tsx", "src/engineer.tsx", "src/rules.css", "src/choose.ts"],
    },
  },
}));
