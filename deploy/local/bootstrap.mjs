// What `npm start`, `npm run demo` and `npm test` call. Runs before anything is installed, on the Node that the machine has.
var wanted = 20;
var found = Number(process.versions.node.split('.')[0]);

if (found < wanted) {
  console.error('ShopFlow needs Node ' + wanted + ' or newer and this is ' + process.versions.node + ': install it from nodejs.org');
  process.exitCode = 1;
} else {
  // Not a static import: an older Node would stumble over the syntax before it could say the line above.
  void import('./bootstrap/main.mjs').then(({ main }) => main(process.argv.slice(2)));
}
