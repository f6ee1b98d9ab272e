// Parts of the web app tested without a browser import types from components, which import styles.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export default names
}
