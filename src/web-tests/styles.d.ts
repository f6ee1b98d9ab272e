// Parts of the web app that are tested without a browser import types from components, which have styles.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export default names
}
