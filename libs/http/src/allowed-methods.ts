import type { Request } from 'express';

interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that some controller takes at the request's path, in capitals; none for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const layers = (request.app.router as unknown as { stack: RouteLayer[] }).stack;
  const here = layers.filter((layer) => layer.route !== undefined && layer.match(request.path));
  return [...new Set(here.flatMap((layer) => Object.keys(layer.route?.methods ?? {})))].map((method) => method.toUpperCase()).sort();
}
