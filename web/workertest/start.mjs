// Runs the built Worker in its real runtime on loopback, as web/edge/wrangler.json
// describes it. Prints the address once it answers; ends when its input does.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Miniflare } from "miniflare";

const file = resolve(process.argv[2]);
const config = JSON.parse(readFileSync(file, "utf8"));
const main = resolve(dirname(file), config.main);

const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  cf: false,
  telemetry: { enabled: false },
  modules: true,
  modulesRoot: dirname(main),
  scriptPath: main,
  modulesRules: [
    { type: "ESModule", include: ["**/*.mjs", "**/*.js"] },
    { type: "CompiledWasm", include: ["**/*.wasm"] },
  ],
  compatibilityDate: config.compatibility_date,
  kvNamespaces: config.kv_namespaces.map((n) => n.binding),
  assets: {
    directory: resolve(dirname(file), config.assets.directory),
    binding: "ASSETS",
    routerConfig: { has_user_worker: true },
    assetConfig: { html_handling: config.assets.html_handling },
  },
});
console.log(String(await miniflare.ready));
process.stdin.resume();
process.stdin.on("end", async () => {
  await miniflare.dispose();
  process.exit(0);
});
