setTimeout(() => {}, 3600000);
