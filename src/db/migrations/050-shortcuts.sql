ALTER TABLE users ADD COLUMN shortcuts_json TEXT; -- {"task.done": ["h"], …}: keys of commands that the person changed in the web app
