MATCH (t:{label} {id: $id})<-[:CALLS* SHORTEST 1..{depth}]-(f:Function)
WITH DISTINCT f WHERE f.test
RETURN f.id, f.qualified_name, f.file, f.line
